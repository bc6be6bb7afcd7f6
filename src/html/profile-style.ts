import { BASE_STYLE, NEARBY, oneLine } from "./style.ts";

/**
 * How the page of a profile looks, on a screen and as a résumé on paper, where nobody can follow a link to see its rest.
 * In a wide window the person stays in sight beside the jobs. That part is as high as the window at least and rests on
 * its lower edge: so it stands still where it fits, and is scrolled to its end where it does not.
 */
const STYLE = oneLine(`
${BASE_STYLE}
.site{--top:clamp(2.5rem,7vw,5.5rem);--bottom:5rem;display:grid;gap:3.5rem;max-width:72rem;margin:0 auto;padding:var(--top) clamp(min(1.25rem,6.25vw),5vw,4rem) var(--bottom)}
.face{margin:0 0 1.6rem;border-radius:1.75rem}
h1,h3,p,li,.where>*{unicode-bidi:plaintext;text-align:-webkit-match-parent;text-align:match-parent}
h1,h2,h3,p,li{clip-path:${NEARBY}}
.place{margin-top:.7rem;color:var(--soft);font:500 .9375rem/1.5 var(--sans)}
.about{margin-top:1.3rem;font-size:1.1875rem;line-height:1.45;white-space:pre-line;text-wrap:pretty}
ul{list-style:none;padding:0}
.ways{display:grid;gap:.1rem;margin-top:1.4rem;font:500 .9375rem/1.5 var(--sans)}
.ways a{display:flex;gap:min(.7rem,3vw);align-items:center;min-height:2rem;text-decoration:none}
.ways svg{flex:none}
.keep{margin-top:1.2rem;font:500 .9375rem/1.5 var(--sans)}
main{display:grid;gap:3.5rem;min-width:0;align-content:start}
h2{display:flex;align-items:center;gap:1.25rem;margin-bottom:1.6rem;color:var(--accent);font:500 .9375rem/1.4 var(--sans)}
h2::after{content:"";flex:1;height:1px;background:var(--line)}
h3{font:400 1.375rem/1.25 var(--serif);letter-spacing:-.01em;text-wrap:balance}
.entries{display:grid;gap:2.2rem}
.entries li{display:grid;gap:.3rem}
.period,.with{color:var(--soft);font:500 .875rem/1.6 var(--sans)}
.where{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .8rem;margin-top:.25rem;font:500 .9375rem/1.5 var(--sans)}
.where a,.keep a,.trees a{text-decoration-color:var(--accent);text-underline-offset:.25em}
@media(hover:hover){.ways a:hover span{text-decoration:underline}.where a:hover,.keep a:hover,.trees a:hover{text-decoration-color:currentColor}}
.tag{padding:.05rem .6rem;border-radius:1rem;background:var(--glow);font-size:.8125rem}
.words{margin-top:.6rem;max-width:42rem;color:inherit;font-size:1.0625rem}
.with{margin-top:.6rem}
.trees{display:grid;gap:.5rem;font-size:1.125rem}
@media(min-width:40rem){.entries li{grid-template-columns:9.5rem minmax(0,1fr);gap:1.8rem}.period{padding-top:.3rem}}
@media(min-width:64rem){.site{grid-template-columns:20rem minmax(0,1fr);gap:clamp(4rem,7vw,6rem)}}
@media screen and (min-width:64rem){.site{--bottom:1.5rem}main{padding-bottom:3.5rem}header{position:sticky;bottom:var(--bottom);align-self:end;min-height:calc(100vh - var(--top) - var(--bottom))}}
@media print{
@page{margin:13mm 16mm}
:root{color-scheme:light}
body{--ink:#000;--soft:#444;--accent:#000;--line:#bbb;--glow:#eee;min-height:0;background:none;font-size:10pt;line-height:1.32}
.site,main{display:block;padding:0;max-width:none}
.face,.keep,.shapes{display:none}
h1{font-size:25pt;padding-top:.05em}
.where{margin-top:.05rem}
.place,.ways,.where,.period,.with,h2{font-size:9pt;line-height:1.35}
.place{margin-top:.3rem}
.about{margin-top:.4rem;font-size:10.5pt;line-height:1.35}
.ways{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin-top:.6rem}
.ways a{min-height:0;gap:.3rem}
svg{width:.8rem;height:.8rem}
section{margin-top:.85rem}
h2{margin-bottom:.4rem;break-after:avoid}
h3{font-size:12pt;break-after:avoid}
.entries{display:block}
.entries li{grid-template-columns:8.5rem minmax(0,1fr);gap:1.2rem;margin-bottom:.55rem;break-inside:avoid}
.period{padding-top:.1rem}
.words,.with{margin-top:.1rem;font-size:9.5pt;line-height:1.32;max-width:none;orphans:3;widows:3}
.with{font-size:8.5pt}
.tag{padding:0 .4rem;font-size:8pt}
.trees{display:flex;flex-wrap:wrap;font-size:10pt;gap:.1rem 1.2rem}
.where a,.trees a{text-decoration-color:var(--line)}
.ways a[rel] span{display:none}
.ways a[rel]::after,.where a[data-place]::after{content:attr(href)}
.ways a::after,.where a::after,.trees a::after{direction:ltr;unicode-bidi:isolate}
.where a::after,.trees a::after{margin:0 .35em}
}
`);

/** The style at a server. A link tree has its address by path alone: the rest, for paper, only the server knows. */
export function profileStyle(publicUrl: string): string {
  if (publicUrl === "") return STYLE;
  return `${STYLE}@media print{.trees a::after{content:${JSON.stringify(publicUrl)} attr(href)}}`;
}
