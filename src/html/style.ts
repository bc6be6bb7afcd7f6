import { DARK, GLOW_ABOVE, GLOW_REACH, greyVariables, LIGHT, variables } from "./colours.ts";
import { FONT_FACES } from "./fonts.ts";
import { THEME_STYLE } from "./themes.ts";

/** The hues that pages have by themselves, by the classes `h0`, `h1`, and so on. */
export const HUES = [20, 55, 90, 150, 195, 240, 285, 340] as const;

/**
 * The longest words that a headline is made smaller for, by the classes `w0`, `w1`, and so on: each fits in a line where
 * a letter is `--wide` in parts of its size. Those of up to eight letters need no class.
 */
export const HEADLINE_LETTERS = [10, 13, 17, 24] as const;

/**
 * How far from its place a text can be seen, so that heaps of marks do not lie on others: far enough for what reaches
 * below a line, and for the frame around what has the focus. Safari cuts `overflow: clip` off at the place itself.
 */
export const NEARBY = "inset(min(-.25em,-.5rem))";

/** The fonts of the reader's own device. */
const SERIF = 'ui-serif,Georgia,"Times New Roman",serif';
const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';

/** The colours of all pages on a screen, which night turns dark, and those of the themes that always are. */
function inLightAndDark(light: string, dark: string): string {
  return `body{${light}}@media screen{@media(prefers-color-scheme:dark){body{${dark}}}.night,.terminal{color-scheme:dark;${dark}}}`;
}

const COLOURS = inLightAndDark(
  variables(LIGHT, "oklch(40% calc(.05*var(--c,1)) var(--h)/.09)"),
  variables(DARK, "oklch(0% 0 0/.28)"),
);
const GREYS = inLightAndDark(greyVariables(LIGHT, "#00000017"), greyVariables(DARK, "#00000047"));

/** What the pages of trees and of profiles, and those that the server makes itself, have in common. */
export const BASE_STYLE = `
${FONT_FACES}
:root{color-scheme:light dark;--serif:Newsreader,${SERIF};--sans:"Instrument Sans",${SANS}}
.other,.more{--sans:${SANS}}
body{--big:clamp(2.5rem,1.7rem + 4vw,3.9rem);--wide:.5}
.other{--serif:${SERIF};--drop:.04em;--wide:.57}
${COLOURS}
@supports not (color:oklch(0% 0 0)){${GREYS}}
${HUES.map((hue, index) => `.h${index}{--h:${hue}}`).join("")}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100dvh;background:radial-gradient(90rem ${GLOW_REACH}rem at 50% -${GLOW_ABOVE}rem,var(--glow),var(--paper)) no-repeat var(--paper);color:var(--ink);font:1.0625rem/1.5 var(--serif);overflow-wrap:anywhere}
a{color:inherit}
a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
svg{width:1.35rem;height:1.35rem;color:var(--accent);fill:currentColor}
.shapes{display:none}
.l{fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.face{position:relative;display:grid;place-items:center;width:7rem;height:7rem;margin:0 auto 1.3rem;border-radius:50%;overflow:hidden;background:var(--accent);color:var(--paper);border:.25rem solid var(--card);box-shadow:0 0 0 1px var(--line),0 .6rem 1.6rem var(--shade);font:400 3.2rem/1 var(--serif);padding-top:var(--drop,.2em)}
.face img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;background:var(--card)}
.face img::after{content:attr(data-initial);position:absolute;inset:0;display:grid;place-items:center;padding-top:var(--drop,.2em);background:var(--accent)}
header{container-type:inline-size}
h1{font:400 var(--big)/1.02 var(--serif);letter-spacing:-.025em;text-wrap:balance}
@supports(width:1cqi){h1{font-size:min(var(--big),100cqi/var(--wide)/var(--letters,8))}}
${HEADLINE_LETTERS.map((letters, index) => `.w${index}{--letters:${letters}}`).join("")}
[dir=rtl] body h1{letter-spacing:0}
[dir=rtl] body h1,body.other h1{line-height:1.3}
.me{display:flex;flex-wrap:wrap;gap:.4rem;justify-content:center;margin-top:1.1rem}
.me a{display:grid;place-items:center;width:2.75rem;height:2.75rem;border-radius:50%;transition:background .16s}
@media(hover:hover){.me a:hover{background:var(--glow)}}
.words{margin-top:.9rem;color:var(--soft);font-size:1.125rem;line-height:1.55;white-space:pre-line;text-wrap:pretty}
.words a{color:var(--accent);text-underline-offset:.2em}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media(prefers-color-scheme:dark){body:not(.night,.terminal) .face img{background:#fff}}
@media(forced-colors:active){svg{color:LinkText}.face{forced-color-adjust:none}}
@media(prefers-reduced-motion:reduce){*,::after{transition:none!important}}
`;

/**
 * How the page of a tree looks, and those that the server makes itself. On paper every theme is dark on white: a reader
 * may print no backgrounds, and letters meant for the dark would be lost. Addresses are there in full.
 */
const TREE_STYLE = `
body{padding:clamp(2.5rem,9vh,6rem) max(min(1.25rem,6.25vw),env(safe-area-inset-left)) 2.5rem}
main,footer{max-width:35rem;margin:0 auto}
header{text-align:center;margin-bottom:2.25rem}
.name{margin-bottom:.4rem;color:var(--soft);font:500 1rem/1.5 var(--sans)}
.title{margin-top:.55rem;font-size:1.375rem;line-height:1.3;text-wrap:balance}
h1,h2,.name,.title,.words,bdi,small{text-align:-webkit-match-parent;text-align:match-parent;clip-path:${NEARBY}}
h2{margin:2rem 0 .9rem;color:var(--soft);font:500 1rem/1.35 var(--sans)}nav>h2:first-child{margin-top:0}
ul{list-style:none;padding:0;display:grid;gap:.75rem}
li a{display:grid;grid-template-columns:auto minmax(0,1fr) auto;align-items:center;column-gap:min(1rem,5vw);min-height:4.1rem;padding:.65rem min(1.2rem,6vw);border:1px solid var(--line);border-radius:1.1rem;background:var(--card);text-decoration:none;box-shadow:0 1px 2px var(--shade);transition:transform .16s,border-color .16s,box-shadow .16s}
li svg{grid-area:1/1/span 2}
bdi{grid-column:2;font-size:1.125rem;line-height:1.3;text-wrap:balance}
bdi:last-child{grid-row:span 2}
small{grid-column:2;color:var(--soft);font:500 .875rem/1.4 var(--sans)}
li a::after{content:"";grid-area:1/3/span 2;width:.5rem;height:.5rem;border:solid var(--accent);border-width:2px 2px 0 0;transform:rotate(45deg);transition:translate .16s}
[dir=rtl] li a::after{transform:rotate(-135deg)}
@media(hover:hover){li a:hover{border-color:var(--accent);box-shadow:0 .5rem 1.4rem var(--shade);transform:translateY(-1px)}li a:hover::after{translate:.2rem}[dir=rtl] li a:hover::after{translate:-.2rem}}
li a:active{border-color:var(--accent);transform:none}
.empty{padding:1.6rem 1.25rem;border:1px dashed;border-radius:1.1rem;color:var(--soft);text-align:center}
footer{display:flex;flex-wrap:wrap;justify-content:center;align-items:start;gap:.4rem 1.6rem;margin-top:2.5rem;color:var(--soft);font:500 .9375rem/1.5 var(--sans)}
footer a,summary{display:block;padding:.4rem 0;text-underline-offset:.25em}
summary{cursor:pointer;text-decoration:underline}
details[open]{flex-basis:100%;text-align:center}
details img{display:block;width:12rem;height:12rem;margin:.8rem auto;border-radius:.8rem;background:#fff}
@media(min-width:62rem){body{display:grid;align-content:center}main,footer{width:100%}.many{max-width:66rem;display:grid;grid-template-columns:minmax(0,24rem) minmax(0,36rem);justify-content:space-between;gap:5rem}.many header{text-align:start;margin:0;padding-top:.5rem}.many .face{margin-inline:0}.many .me{justify-content:start;margin-inline-start:-.6rem}}
@media(min-width:62rem) and (min-height:44rem){.many .pin{position:sticky;top:3rem;align-self:start}}
${THEME_STYLE}
@media print{
@page{margin:13mm 16mm}
:root{color-scheme:light}
body[class]{padding:0;min-height:0;background:none}
footer{display:none}
.me{gap:.2rem 1.2rem}
.many .me{margin-inline-start:0}
.me a{display:flex;gap:.4rem;width:auto;height:auto;text-decoration:none}
.me a::after,li a[data-url]::after{content:attr(href);direction:ltr;unicode-bidi:isolate;text-align:-webkit-match-parent;text-align:match-parent;color:var(--soft);font:500 .875rem/1.4 var(--sans)}
body[class] ul{display:block}
li{margin-bottom:.5rem;break-inside:avoid}
h2{break-after:avoid}
body[class] li a{min-height:0;background:none;color:inherit;box-shadow:none}
body[class] li a::after{content:none}
li a[data-url] bdi{grid-row:1}
li a[data-url] small{display:none}
body[class] li a[data-url]::after{content:attr(data-url);grid-area:2/2;width:auto;height:auto;border:0;transform:none}
}
`;

export function oneLine(style: string): string {
  return style.trim().replaceAll("\n", "");
}

/** What a Content-Security-Policy allows a style by. */
export function styleHash(style: string): string {
  return `sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}`;
}

/**
 * The style stands in the page itself, so that a visit is one request, and its hash stands in the
 * Content-Security-Policy, so that no other style ever applies.
 */
export const STYLE = oneLine(BASE_STYLE + TREE_STYLE);

export const STYLE_HASH = styleHash(STYLE);
