// Springs as the design gives them (response in seconds, damping ratio), sampled into CSS linear().

/** Position of a spring that is let go at 0 and rests at 1, after `time` seconds. ω = 2π / response. */
export function springPosition(time, response, damping) {
  const omega = (2 * Math.PI) / response;
  if (damping >= 1) return 1 - Math.exp(-omega * time) * (1 + omega * time);
  const decay = damping * omega;
  const wave = omega * Math.sqrt(1 - damping * damping);
  return 1 - Math.exp(-decay * time) * (Math.cos(wave * time) + (decay / wave) * Math.sin(wave * time));
}

/** Seconds after which a spring stays within one per cent of its rest. */
export function settlingTime(response, damping) {
  const step = response / 200;
  let last = 0;
  for (let time = 0; time < response * 8; time += step) {
    if (Math.abs(springPosition(time, response, damping) - 1) > 0.01) last = time;
  }
  return last + step;
}

/** No motion of the page lasts longer. */
export const LONGEST = 0.4;

/** A spring for CSS: `{ easing: "linear(…)", duration: seconds }`. */
export function spring(response, damping, samples = 24) {
  const duration = Math.min(settlingTime(response, damping), LONGEST);
  const points = [];
  for (let i = 0; i <= samples; i++) {
    const position = i === samples ? 1 : springPosition((i / samples) * duration, response, damping);
    points.push(Number(position.toFixed(4)));
  }
  return { easing: `linear(${points.join(", ")})`, duration };
}

const named = {
  "filter-cell": [0.32, 0.78],
  aspect: [0.36, 0.82],
  sheet: [0.45, 0.86],
  auto: [0.42, 0.85],
  press: [0.18, 0.6],
  release: [0.28, 0.55],
  morph: [0.32, 0.7],
  mode: [0.28, 0.8],
};

/** Puts the springs into custom properties: `--spring-sheet` and `--time-sheet`. */
export function publishSprings(root) {
  for (const [name, [response, damping]] of Object.entries(named)) {
    const { easing, duration } = spring(response, damping);
    root.style.setProperty(`--spring-${name}`, easing);
    root.style.setProperty(`--time-${name}`, `${Math.round(duration * 1000)}ms`);
  }
}

export const motionIsReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Calls `step(0…1)` along a spring, in animation frames; at once with 1 where motion is reduced. Returns a stop. */
export function animate(step, { response, damping }, done = () => {}) {
  if (motionIsReduced()) {
    step(1);
    done();
    return () => {};
  }
  const duration = Math.min(settlingTime(response, damping), LONGEST);
  const start = performance.now();
  let request = requestAnimationFrame(function frame(now) {
    const time = Math.max(0, (now - start) / 1000);
    if (time >= duration) {
      step(1);
      done();
      return;
    }
    step(springPosition(time, response, damping));
    request = requestAnimationFrame(frame);
  });
  return () => cancelAnimationFrame(request);
}
