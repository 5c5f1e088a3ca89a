// Automatic values: asked of the server, then one step of the history. Where it abstains, its sentence is shown.

export function createAuto(store, session, editor) {
  return {
    /** Asks for `kinds`; what is found is saved as one step named `label`, what is said stands in section `id`. */
    run(id, kinds, label) {
      const notice = (text) => store.update((state) => ({ notices: { ...state.notices, [id]: text } }));
      const found = {};
      const sentences = [];
      let missing = kinds.length;
      const { photo } = store.state;
      for (const kind of kinds) {
        const asked = session.ask({ type: "auto", kind }, (answer) => {
          if (store.state.photo !== photo) return;
          if (answer.type === "auto" && answer.found) Object.assign(found, answer.values);
          if (answer.summary ?? answer.message) sentences.push(answer.summary ?? answer.message);
          if (--missing > 0) return;
          notice([...new Set(sentences)].join(" "));
          if (Object.keys(found).length === 0) return;
          editor.flush();
          editor.setValues(found, { dragging: false });
          editor.commit(label);
        });
        if (!asked) missing--;
      }
    },
  };
}
