// Small JPEGs as images: each address is given back when the next one takes its place.

export function createThumbnails() {
  const addresses = new WeakMap();
  return {
    show(image, bytes) {
      const address = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
      const old = addresses.get(image);
      addresses.set(image, address);
      image.src = address;
      image.classList.add("there");
      if (old) URL.revokeObjectURL(old);
    },
    clear(image) {
      const old = addresses.get(image);
      if (old) URL.revokeObjectURL(old);
      addresses.delete(image);
      image.removeAttribute("src");
      image.classList.remove("there");
    },
  };
}
