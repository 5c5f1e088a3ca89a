/// The page's style sheet, and the script that shows values under the pointer.
enum ProfilePageStyle {
  /// One accent, the red of a darkroom lamp, for what matters most in each plot; the rest is paper and ink. Text
  /// has a contrast of at least 4.5 : 1 in both schemes (WCAG 2.2, 1.4.3).
  static let css = """
    :root {
      color-scheme: light dark;
      --paper: #fdfcfa; --ink: #1d1a17; --soft: #665f57; --line: #e6e1da; --strong: #b9b1a7;
      --bar: #c9c1b6; --second: #ddd6cc; --accent: #b5371a; --on-accent: #ffffff; --tint: #f5f1eb; --on-bar: #1d1a17;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #161412; --ink: #ece7e0; --soft: #a8a096; --line: #2e2a27; --strong: #5b544d;
        --bar: #5e574f; --second: #46403a; --accent: #ff7d52; --on-accent: #1a0d07; --tint: #201d1a; --on-bar: #ffffff;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
      font: 16px/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
      font-variant-numeric: tabular-nums lining-nums;
    }
    main { max-width: 1380px; margin: 0 auto; padding: 40px 32px 32px; }
    header { border-bottom: 1px solid var(--line); padding-bottom: 28px; }
    h1, h2, p, dl, dd, ol, ul { margin: 0; padding: 0; }
    h1 { font-size: clamp(26px, 4vw, 40px); line-height: 1.15; font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
    h2 { font-size: 18px; line-height: 1.3; font-weight: 650; }
    .kicker { color: var(--accent); font-size: 13px; font-weight: 600; letter-spacing: 0.04em; margin-bottom: 6px; }
    .chain { margin-top: 10px; font-size: 17px; max-width: 75ch; overflow-wrap: anywhere; }
    .chain i { font-style: normal; color: var(--soft); }
    .sizes { margin-top: 4px; color: var(--soft); overflow-wrap: anywhere; }
    .figures { display: flex; flex-wrap: wrap; gap: 20px 56px; margin-top: 28px; }
    .figures dt { color: var(--soft); font-size: 14px; }
    .figures dd { font-size: 40px; line-height: 1.1; font-weight: 300; letter-spacing: -0.02em; white-space: nowrap; }
    .figures small { font-size: 17px; font-weight: 400; letter-spacing: 0; color: var(--soft); margin-left: 5px; }
    .figures div:first-child dd { color: var(--accent); }
    aside { border-left: 3px solid var(--accent); background: var(--tint); padding: 10px 16px; margin-top: 24px; }
    aside ul { list-style: none; max-width: 90ch; overflow-wrap: anywhere; }
    .sections { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 48px 60px; padding-top: 36px; }
    section, .stacked { min-width: 0; }
    .stacked { display: grid; grid-template-columns: minmax(0, 1fr); gap: inherit; align-content: start; }
    .lead { color: var(--soft); font-size: 15px; margin: 2px 0 14px; max-width: 68ch; overflow-wrap: anywhere; }
    .plot { display: block; width: 100%; height: auto; overflow: visible; }
    .narrow { display: none; }
    details { margin-top: 10px; font-size: 14px; }
    summary { color: var(--soft); cursor: pointer; width: max-content; padding: 2px 0; }
    summary:hover { color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    .scroll { overflow-x: auto; margin-top: 6px; }
    table { border-collapse: collapse; font-size: 14px; line-height: 1.35; }
    th, td { text-align: left; font-weight: 400; padding: 5px 18px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    thead th { color: var(--soft); white-space: nowrap; }
    .n { text-align: right; white-space: nowrap; }
    pre {
      margin: 0; padding: 14px 16px; background: var(--tint); overflow-x: auto;
      font: 13px/1.55 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
    }
    .passes { list-style: none; font-size: 14px; }
    .passes li { padding: 6px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
    .passes b { font-weight: 500; }
    .passes em { font-style: normal; float: right; white-space: nowrap; }
    .passes span { color: var(--soft); }
    .facts { font-size: 14px; margin-top: 8px; }
    .facts div { display: flex; gap: 16px; padding: 6px 0; border-bottom: 1px solid var(--line); }
    .facts dt { color: var(--soft); flex: 0 0 196px; }
    .facts dd { overflow-wrap: anywhere; min-width: 0; }
    footer { margin-top: 44px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
    svg text { font-size: 12px; fill: var(--ink); }
    svg .tick, svg .unit, svg .label { fill: var(--soft); }
    svg .name, svg .value { font-size: 13px; }
    svg .small { font-size: 11.5px; }
    svg .value.late { fill: var(--accent); }
    svg .halo { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
    svg .on-accent { fill: var(--on-accent); }
    svg .on-bar, svg .on-second { fill: var(--on-bar); }
    .axis { stroke: var(--strong); fill: none; }
    .grid { stroke: var(--line); fill: none; }
    .grid.strong { stroke: var(--strong); stroke-dasharray: 1 3; }
    .bar { fill: var(--bar); }
    .bar.second { fill: var(--second); }
    .bar.accent, .bar.beyond { fill: var(--accent); }
    .mark { fill: none; stroke: var(--ink); }
    .mark.late { stroke: var(--accent); stroke-dasharray: 4 3; }
    .trace { fill: none; stroke: var(--soft); stroke-width: 1.2; stroke-linejoin: round; }
    .envelope { fill: var(--bar); stroke: var(--bar); stroke-width: 0.6; stroke-linejoin: round; }
    .point { fill: var(--ink); }
    .point.accent { fill: var(--accent); }
    .curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
    .ideal { fill: none; stroke: var(--strong); stroke-dasharray: 4 4; }
    .ceiling { fill: none; stroke: var(--ink); }
    .ceiling.second { stroke-dasharray: 4 3; }
    .break { stroke: var(--paper); stroke-width: 2.5; fill: none; }
    .touch { fill: transparent; }
    [data-tip]:hover { opacity: 0.8; }
    .touch:hover { fill: var(--accent); opacity: 0.18; }
    #tip {
      position: fixed; z-index: 1; pointer-events: none; width: max-content; max-width: min(420px, 90vw); padding: 5px 9px; border-radius: 4px;
      background: var(--ink); color: var(--paper); font-size: 13px; line-height: 1.35; overflow-wrap: anywhere;
    }
    @media (max-width: 1080px) {
      .sections { grid-template-columns: minmax(0, 1fr); gap: 44px; }
      section { max-width: 760px; }
    }
    @media (max-width: 600px) {
      main { padding: 24px 12px 20px; }
      .wide { display: none; }
      .narrow { display: block; }
      .figures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px 20px; }
      .figures dd { font-size: 32px; }
      .facts dt { flex-basis: 136px; }
    }
    @media print {
      :root {
        --paper: #ffffff; --ink: #000000; --soft: #555555; --line: #dddddd; --strong: #999999; --bar: #c8c8c8;
        --second: #dddddd; --accent: #a02c10; --on-accent: #ffffff; --tint: #f5f5f5; --on-bar: #000000;
      }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      main { padding: 0; }
      .sections { grid-template-columns: minmax(0, 1fr); gap: 26px; }
      .wide { display: block; }
      .narrow, summary, #tip { display: none; }
      section { break-inside: avoid; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    }

    """

  static let script = """
    (() => {
      const tip = document.getElementById("tip");
      const hide = () => { tip.hidden = true; };
      const show = event => {
        const mark = event.target.closest && event.target.closest("[data-tip]");
        if (!mark) return hide();
        tip.textContent = mark.dataset.tip;
        tip.hidden = false;
        const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
        const above = event.clientY - tip.offsetHeight - 12;
        tip.style.left = Math.max(8, x) + "px";
        tip.style.top = (above > 8 ? above : event.clientY + 18) + "px";
      };
      addEventListener("pointermove", show);
      addEventListener("pointerdown", show);
      addEventListener("scroll", hide, { passive: true });
      document.addEventListener("pointerleave", hide);
    })();

    """
}
