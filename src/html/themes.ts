/** How many hues an accent can have: the classes `a0`, `a1`, and so on, all around the circle. */
export const ACCENT_HUES = 24;

export function accentHue(index: number): number {
  return (index * 360) / ACCENT_HUES;
}

const hues = Array.from({ length: ACCENT_HUES }, (_, index) => `.a${index}{--h:${accentHue(index)}}`);

const MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/**
 * The themes, by the class of a page. They change type, shape and rules, and take their colours from those of all
 * pages, so that contrast is what it is there.
 */
export const THEME_STYLE = `
${hues.join("")}.grey{--c:0}
.paper{background:var(--paper)}
.paper ul{gap:0;border-top:3px double var(--line)}
.paper li a{border-width:0 0 1px;border-radius:0;background:none;box-shadow:none;padding-inline:.25rem}
.paper .face{border-radius:.25rem}
.ink{--serif:var(--sans);--drop:0em;--big:clamp(2.2rem,1.6rem + 3vw,3.4rem);--wide:.66;background:var(--card)}
.ink ul{gap:1rem}
.ink li a,.ink .face{border:2px solid var(--ink);border-radius:0;box-shadow:.3rem .3rem 0 var(--ink)}
.ink h1{font-weight:800;line-height:1.05;font-family:system-ui,sans-serif}
.plain{--serif:var(--sans);--drop:0em;--wide:.57;background:var(--card)}
.plain ul{gap:0}
.plain li a{min-height:3.2rem;border:0;background:none;box-shadow:none;padding-inline:0}
.plain bdi{color:var(--accent);text-decoration:underline;text-underline-offset:.2em}
.plain li a::after{content:none}
.bold{--serif:var(--sans);--drop:0em;--big:clamp(2.6rem,1.8rem + 4.6vw,4.5rem);--wide:.66;background:var(--glow)}
.bold h1{font-weight:900;line-height:.98;font-family:system-ui,sans-serif;letter-spacing:-.04em}
.bold li a{min-height:4.75rem;border-color:transparent;border-radius:2.5rem;background:var(--ink);color:var(--paper);padding-inline:min(1.75rem,7vw)}
.bold small,.bold li svg{color:inherit}
.bold li a::after{border-color:currentColor}
@media(hover:hover){.bold .me a:hover{background:var(--paper)}}
.bold .name,.bold .words,.bold h2,.bold footer{color:var(--ink)}
.night li a{border-radius:.75rem;box-shadow:inset 0 1px 0 var(--line),0 .5rem 1.4rem var(--shade)}
.terminal{--drop:.08em;--big:clamp(1.6rem,1.2rem + 2vw,2.25rem);--wide:.73;--serif:${MONOSPACE};--sans:${MONOSPACE};background:var(--paper);font-size:1rem}
.terminal h1{font-weight:700;line-height:1.2;letter-spacing:0;color:var(--accent)}
.terminal h1::before{content:"> " / ""}
.terminal bdi{font-size:1rem}
.terminal li a,.terminal .face{border:1px dashed var(--line);border-radius:0;box-shadow:none}
`;
