// The ranges of a camera's controls, as the server writes them: `auto, locked, 0.0001s…0.5s`. No DOM.

const NUMBER = /^([+-]?\d+(?:\.\d+)?)(s|ms|us|K|x|%|Hz)?$/;
const SPAN = /^([+-]?\d+(?:\.\d+)?)(s|ms|us|K|x|%)?…([+-]?\d+(?:\.\d+)?)(s|ms|us|K|x|%)?(?: by (\d+))?$/;

/**
 * `{ words, choices, span }`: words such as "auto" and "locked"; texts to choose from such as "50Hz" or "-0.5"; the
 * first span `{ minimum, maximum, step, unit }`, which others only say in another unit.
 */
export function parseRange(text) {
  const found = { words: [], choices: [], span: null };
  for (const part of (text ?? "").split(", ").filter(Boolean)) {
    const span = SPAN.exec(part);
    if (span) {
      const [, minimum, , maximum, unit = "", by] = span;
      found.span ??= {
        minimum: Number(minimum),
        maximum: Number(maximum),
        step: by ? Number(by) : null,
        unit,
      };
    } else if (NUMBER.test(part)) found.choices.push(part);
    // Points are set by a tap on the picture.
    else if (!part.includes("…")) found.words.push(part);
  }
  return found;
}

/** A number of a control's text and its unit: `{ number: 4600, unit: "K" }`, null for a word. */
export function parseValue(text) {
  const match = NUMBER.exec(text ?? "");
  return match ? { number: Number(match[1]), unit: match[2] ?? "" } : null;
}

/** Exposure times are as far apart as their ratio. */
export const isLogarithmic = ({ minimum, maximum, unit }) => unit === "s" && minimum > 0 && maximum / minimum > 20;

/** The slider's position (0…1) of a number. */
export function positionIn(span, number) {
  const { minimum, maximum } = span;
  const bounded = Math.min(maximum, Math.max(minimum, number));
  if (isLogarithmic(span)) return Math.log(bounded / minimum) / Math.log(maximum / minimum);
  return (bounded - minimum) / (maximum - minimum || 1);
}

/** The number at a position, on the control's own steps. */
export function numberIn(span, position) {
  const { minimum, maximum, step } = span;
  const part = Math.min(1, Math.max(0, position));
  if (isLogarithmic(span)) return Number((minimum * (maximum / minimum) ** part).toPrecision(3));
  const raw = minimum + part * (maximum - minimum);
  const by = step ?? (maximum - minimum > 20 ? 1 : 0.1);
  return Number(Math.min(maximum, minimum + Math.round((raw - minimum) / by) * by).toFixed(4));
}

/** As the server takes it: `0.008s`, `4600K`, `120`. */
export const settingText = ({ unit }, number) => `${number}${unit}`;

/** As photographers read it: `1/125 s`, `4600 K`, `50 %`; of stops, which are signed, `+0.5`. */
export function shownText(text, isSigned = false) {
  const value = parseValue(text);
  if (!value) return text ? text[0].toUpperCase() + text.slice(1) : "";
  const { number, unit } = value;
  if (unit === "s") return number > 0 && number < 0.3 ? `1/${Math.round(1 / number)} s` : `${number} s`;
  if (unit === "x") return `${number}×`;
  return `${isSigned && number > 0 ? "+" : ""}${String(number).replace("-", "−")}${unit ? ` ${unit}` : ""}`;
}

/** The text of `choices` nearest to a number. */
export function nearestChoice(choices, number) {
  const far = (text) => Math.abs((parseValue(text)?.number ?? Infinity) - number);
  return choices.reduce((best, text) => (far(text) < far(best) ? text : best), choices[0]);
}
