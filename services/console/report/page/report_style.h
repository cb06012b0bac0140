// The style sheet of a report: for the screen and for paper, without scripts. Filters and enlarged screenshots are
// radio buttons and check boxes whose state the style sheet reads.
#pragma once

namespace da::console {

inline constexpr const char* kReportStyle = R"css(
:root{--ink:#1c2430;--soft:#5a6675;--line:#dde2e8;--tint:#f6f8fa;--done:#1a7f4b;--denied:#b42318;--failed:#b54708;
--unknown:#6941c6;--judged:#175cd3;--unproven:#b54708;--open:#667085;color-scheme:light}
*{box-sizing:border-box}
body{margin:0 auto;max-width:84rem;padding:2rem 2rem 4rem;color:var(--ink);background:#fff;
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:1.45rem;line-height:1.3;font-weight:600;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2.2rem 0 .6rem}
h3{font-size:1rem;font-weight:600;margin:0 0 .35rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}
h3>.words{flex:0 1 auto;min-width:0}
code,pre,.words{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em;
overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--tint);border:1px solid var(--line);border-radius:4px;padding:.6rem .8rem;
max-height:30rem;overflow:auto;margin:.4rem 0}
a{color:inherit}
.kind{color:var(--soft);font-size:.85rem;margin:0}
.lead{margin:.2rem 0 1rem;overflow-wrap:anywhere}
.badge{display:inline-block;font:600 .75rem/1.55 system-ui,sans-serif;border:1px solid currentColor;border-radius:3px;
padding:0 .45em;white-space:nowrap;color:var(--open)}
.done{color:var(--done)}.denied{color:var(--denied)}.failed{color:var(--failed)}.unknown{color:var(--unknown)}
.judged{color:var(--judged)}.unproven{color:var(--unproven)}.open{color:var(--open)}
.about{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.7rem 2rem;margin:0;
border-top:1px solid var(--line);border-bottom:1px solid var(--line);padding:.9rem 0}
.about dt{color:var(--soft);font-size:.8rem}.about dd{margin:0;overflow-wrap:anywhere}
.about .wide{grid-column:1/-1}
.warning{border-left:3px solid var(--failed);background:#fff8f1;padding:.5rem .8rem;margin:.8rem 0;overflow-wrap:anywhere}
.strip{width:100%;height:auto;display:block;margin:.3rem 0}
.strip text{font:11px system-ui,sans-serif;fill:var(--soft)}
.strip .axis{stroke:var(--line)}
.strip .bar{fill:currentColor}.strip .lane{fill:var(--tint)}
.glance{border-collapse:collapse;width:100%;font-size:.9rem}
.glance th{text-align:left;font-weight:500;color:var(--soft);font-size:.8rem;white-space:nowrap}
.glance td,.glance th{padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.glance td:nth-child(3){width:45%}.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.filter{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:0 0 .6rem;color:var(--soft);border:0;padding:0}
.entry{display:grid;grid-template-columns:6.5rem minmax(0,1fr) minmax(0,27rem);gap:0 1.4rem;padding:.9rem 0;
border-top:1px solid var(--line);color:var(--ink);break-inside:avoid}
.entry:target{background:#fffbe6}
.when{font-variant-numeric:tabular-nums;font-size:.85rem}.when span{display:block;color:var(--soft);font-size:.8rem}
.event{padding:.3rem 0}.event .text{grid-column:2/-1;overflow-wrap:anywhere}
.event .noun{color:var(--soft);display:inline-block;min-width:5rem}
.event.notable .text{color:var(--failed)}
.call .text{grid-column:2/-1;min-width:0}
.details{display:grid;grid-template-columns:7.5rem minmax(0,1fr);gap:.1rem .8rem;margin:0;font-size:.92rem}
.details dt{color:var(--soft)}.details dd{margin:0;overflow-wrap:anywhere}
.untrusted{border-left:2px solid #c9b458;padding-left:.5rem}
.untrusted::before{content:"untrusted ";font-size:.75rem;color:#7a6a1b}
summary{cursor:pointer;color:var(--soft)}
figure{margin:0;min-width:0}
figure label{display:block;cursor:zoom-in}
figure input{position:absolute;opacity:0}
figure svg{width:100%;height:auto;max-height:95vh;display:block;border:1px solid var(--line);background:var(--tint)}
figure input:focus-visible+svg{outline:2px solid var(--judged)}
figure svg+svg,figure .detail{margin-top:.4rem}
figcaption{font-size:.8rem;color:var(--soft);margin-top:.3rem}
.entry:has(figure input:checked){grid-template-columns:6.5rem minmax(0,1fr)}
.entry:has(figure input:checked) .shots{grid-column:1/-1;margin-top:.8rem}
figure input:checked+svg{cursor:zoom-out}
.mark{fill:none;vector-effect:non-scaling-stroke;stroke-width:2.5px}
.halo{fill:none;vector-effect:non-scaling-stroke;stroke:#fff;stroke-width:5px;stroke-opacity:.8}
.target{stroke:#d92d20}.drop{stroke:#175cd3}.focus{stroke:#b54708}.window{stroke:#b54708;stroke-dasharray:7 5}
.definitions{position:absolute}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem;border-top:1px solid var(--line);padding-top:.8rem}
body:has(#only-steps:checked) .entry:not(.step),body:has(#only-asked:checked) .entry:not(.asked),
body:has(#only-bad:checked) .entry:not(.bad),body:has(#only-calls:checked) .entry:not(.call),
body:has(#only-events:checked) .entry:not(.event){display:none}
@media screen and (max-width:60rem){.entry{grid-template-columns:5rem minmax(0,1fr)}.shots{grid-column:1/-1;margin-top:.6rem}
.glance td:nth-child(5),.glance th:nth-child(5){display:none}}
@media print{:root{font-size:11px}body{max-width:none;padding:0;font-size:1rem}.filter{display:none}pre{max-height:none;overflow:visible}
.entry{grid-template-columns:5.5rem minmax(0,1fr) 7cm}a{text-decoration:none}
.call details::details-content{content-visibility:visible;height:auto}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

}  // namespace da::console
