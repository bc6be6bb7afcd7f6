/**
 * How every page looks. It stands in the page itself, so that a visit is one request, and its hash stands in the
 * Content-Security-Policy, so that no other style ever applies. Colours are one hue (`--h`, by the page's class)
 * at fixed lightness: contrast is then the same for every hue, 4.5 to 1 and more for all text.
 */
export const STYLE = `
:root{color-scheme:light dark}
body{--paper:oklch(97.6% .011 var(--h));--glow:oklch(91% .055 var(--h));--card:oklch(99.6% .003 var(--h));--line:oklch(88% .022 var(--h));--ink:oklch(25% .025 var(--h));--soft:oklch(45% .03 var(--h));--accent:oklch(48% .13 var(--h));--shade:oklch(40% .05 var(--h)/.09)}
@media(prefers-color-scheme:dark){body{--paper:oklch(19% .016 var(--h));--glow:oklch(31% .055 var(--h));--card:oklch(24.5% .02 var(--h));--line:oklch(36% .03 var(--h));--ink:oklch(95% .012 var(--h));--soft:oklch(77% .025 var(--h));--accent:oklch(80% .11 var(--h));--shade:oklch(0% 0 0/.28)}}
.h0{--h:20}.h1{--h:55}.h2{--h:90}.h3{--h:150}.h4{--h:195}.h5{--h:240}.h6{--h:285}.h7{--h:340}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100dvh;padding:clamp(2.75rem,10vh,7rem) max(1.25rem,env(safe-area-inset-left)) 4rem;background:radial-gradient(90rem 44rem at 50% -14rem,var(--glow),var(--paper)) no-repeat var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:35rem;margin:0 auto}
header{text-align:center;margin-bottom:2.25rem}
.face{position:relative;display:grid;place-items:center;width:6.5rem;height:6.5rem;margin:0 auto 1.1rem;border-radius:50%;overflow:hidden;background:var(--accent);color:var(--paper);border:.25rem solid var(--card);box-shadow:0 0 0 1px var(--line),0 .6rem 1.6rem var(--shade);font:600 2.6rem/1 ui-serif,Georgia,"Times New Roman",serif}
.face img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
.name{color:var(--soft);font-weight:600;letter-spacing:.01em}
h1{font:600 clamp(2rem,1.5rem + 2.6vw,3rem)/1.14 ui-serif,Georgia,"Times New Roman",serif;letter-spacing:-.015em;text-wrap:balance}
.name+h1{margin-top:.2rem}
h1,.name,.words,bdi,small{text-align:-webkit-match-parent;text-align:match-parent;overflow:clip;overflow-clip-margin:.25em}
.words{margin-top:.9rem;color:var(--soft);font-size:1.0625rem;line-height:1.6;white-space:pre-line;text-wrap:pretty}
.words a,footer a{color:var(--accent);text-underline-offset:.2em}
ul{list-style:none;padding:0;display:grid;gap:.75rem}
li a{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:center;column-gap:1rem;min-height:4rem;padding:.7rem 1.25rem;border:1px solid var(--line);border-radius:1.1rem;background:var(--card);color:inherit;text-decoration:none;box-shadow:0 1px 2px var(--shade);transition:transform .16s,border-color .16s,box-shadow .16s}
bdi{grid-column:1;font-weight:600;line-height:1.35}
bdi:last-child{grid-row:span 2}
small{grid-column:1;color:var(--soft);font-size:.875rem;line-height:1.4}
li a::after{content:"";grid-area:1/2/span 2;width:.55rem;height:.55rem;border:solid var(--accent);border-width:2px 2px 0 0;transform:rotate(45deg);transition:translate .16s}
[dir=rtl] li a::after{transform:rotate(-135deg)}
li a:hover{border-color:var(--accent);box-shadow:0 .5rem 1.4rem var(--shade);transform:translateY(-1px)}
li a:hover::after{translate:.2rem}
[dir=rtl] li a:hover::after{translate:-.2rem}
li a:active{transform:none}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.empty{padding:2rem 1.25rem;border:1px dashed var(--line);border-radius:1.1rem;color:var(--soft);text-align:center}
footer{margin-top:2rem;color:var(--soft);font-size:.875rem;text-align:center}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media(min-width:62rem){body{display:grid;align-content:center}main{width:100%}.tree{max-width:66rem;display:grid;grid-template-columns:minmax(0,24rem) minmax(0,36rem);justify-content:space-between;gap:5rem}.tree header{text-align:start;margin:0;padding-top:.5rem}.tree .face{margin-inline:0}.tree .pin{position:sticky;top:3rem;align-self:start}}
@media(prefers-reduced-motion:reduce){*,::after{transition:none!important}}
@media print{body{background:none}li a{box-shadow:none;break-inside:avoid}}
`
  .trim()
  .replaceAll("\n", "");

/** How many hues there are to choose from: the classes `h0`, `h1`, and so on. */
export const HUES = 8;

export const STYLE_HASH = `sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}`;
