/** Style sheet of the pages: base styles, styles of tables and charts, and styles of the books. */
import { chartStyle } from "../../output/chart/svg.ts";
import { baseStyle } from "../../output/html/frame.ts";
import { tableStyle } from "../../output/html/html-table.ts";

const ownRules = `
@view-transition{navigation:auto}
html{scroll-padding-top:1rem}
body{min-height:100vh}
a{color:var(--act);text-underline-offset:.15em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.2;display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
h2{margin:0 0 .6rem;font-size:1.1rem}
p{margin:0 0 .75rem}
ul{margin:0 0 1rem;padding-left:1.2rem}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.bar,.top nav{max-width:78rem;margin:0 auto;padding:0 1.5rem}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding-top:.9rem;padding-bottom:.35rem}
.owner{margin:0;font-size:1.15rem;font-weight:700;flex:1 1 12rem;min-width:0}.owner a{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:inherit;text-decoration:none}
.search{display:flex;gap:.5rem;flex:0 1 24rem}.search input{flex:1 1 8rem;min-width:0}
.person{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;font-size:.9rem}
.person form{margin:0}
.strip{display:flex;flex-wrap:wrap;gap:0 .25rem;list-style:none;margin:0;padding:0}
.strip a{display:block;padding:.5rem .75rem;white-space:nowrap;text-decoration:none;border-bottom:3px solid transparent;color:var(--ink)}
.strip a:hover{border-color:var(--line)}
.strip a[aria-current]{border-color:var(--act);color:var(--act);font-weight:600}
.strip a:focus-visible{outline-offset:-3px}
.minor{border-top:1px solid var(--line);font-size:.925rem}.minor a{padding:.45rem .8rem}
main{max-width:78rem;margin:1.25rem auto 2rem;padding:1.5rem 1.75rem 1.75rem;background:var(--card);border-radius:.75rem;
box-shadow:0 1px 4px #0003}
main:focus{outline:0}
main .minor{border:0;margin:0 0 .75rem -.8rem}
.crumbs ol{display:flex;flex-wrap:wrap;gap:.1rem .5rem;list-style:none;margin:0 0 .6rem;padding:0;font-size:.9rem}
.crumbs li:not(:last-child)::after{content:"\\203a";margin-left:.5rem;color:var(--soft)}
.acts{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end}
.act,.search button{display:inline-block;padding:.45rem .95rem;border:1px solid var(--act);border-radius:.4rem;font:inherit;
font-weight:600;text-decoration:none;cursor:pointer;background:var(--act);color:var(--act-ink);line-height:1.4}
.act.other,.search button{background:transparent;color:var(--act)}
.acts>.form,.said .form{display:block;margin:0}.bar-of-acts{margin:0 0 1.25rem;align-items:start}
.deed>summary{list-style:none}.deed>summary::-webkit-details-marker{display:none}.deed[open]{flex:1 1 100%;order:1}
.deed[open]>summary{background:var(--act);color:var(--act-ink)}.deed>.form{margin:.9rem 0 0}.drop{height:auto;padding:1.1rem .8rem;border:2px dashed var(--edge)}
button.plain{padding:0;border:0;background:none;font:inherit;color:var(--act);text-decoration:underline;cursor:pointer}
input,select,textarea{height:2.4rem;padding:.3rem .6rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);
border-radius:.4rem;max-width:100%}
.filters{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin:0 0 1.1rem;padding:.8rem 1rem;
background:var(--back);border-radius:.5rem}
.field{display:flex;flex-direction:column;gap:.15rem;min-width:0}.field label{font-size:.875rem;font-weight:600}
.field select{max-width:16rem}.check input{height:auto}.check{flex-direction:row;align-items:center;gap:.5rem;padding:.45rem 0}
.badge{display:inline-block;padding:.02rem .55rem;border:1px solid;border-radius:1rem;font-size:.85rem;font-weight:600;
white-space:nowrap;vertical-align:middle}
.open{color:var(--open)}.late{color:var(--late)}.done{color:var(--done)}.void{color:var(--void)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem 1.5rem;margin:0 0 1.5rem}
.facts dt{color:var(--soft);font-size:.875rem}.facts dd{margin:0}
.text{white-space:pre-line}
.table :is(th,td){overflow-wrap:break-word;max-width:26rem}.table time{white-space:nowrap}
.amount{white-space:nowrap}:is(.figure,.tabs a):has(.amount){white-space:normal}
.sums{display:grid;grid-template-columns:1fr auto;margin:0 0 1.5rem auto;max-width:24rem}
.sums dt,.sums dd{margin:0;padding:.25rem .75rem}.sums dd{text-align:right;white-space:nowrap}
.sums .total{font-weight:600;border-top:1px solid var(--edge)}
.sums .due{font-weight:700;font-size:1.15rem;border-top:1px solid var(--edge)}
section{margin:1.5rem 0 0}
.titles{color:var(--soft)}
.columns{columns:2 24rem;column-gap:2.5rem}.columns section{break-inside:avoid;margin:0 0 1.5rem}
.cards{list-style:none;padding:0}.cards li{margin:0 0 .6rem}
.tiles{columns:21rem 3;column-gap:1.25rem}
.tile{margin:0 0 1.25rem;break-inside:avoid;padding:1rem 1.1rem;border:1px solid var(--line);border-radius:.6rem;min-width:0}
.tile .table{margin-bottom:.5rem}.tile :is(th,td){padding:.4rem .3rem}.tile th{overflow-wrap:anywhere}.tile tbody th{min-width:6.5rem}.chart{overflow:visible;max-width:40rem;margin:0 0 1rem}.tile .chart{max-width:26rem;margin:0}.tile>details{margin-top:.25rem}
.big{font-size:1.5rem;font-weight:700;line-height:1.2;margin:0 0 .25rem}
.owed{display:flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:baseline}.owed .big{margin:0}kbd{font:inherit;font-weight:600}
.pager{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin-top:.5rem}
.wrong,.said{margin:0 0 1rem;padding:.6rem .9rem;border:1px solid var(--late);border-left-width:.35rem;border-radius:.4rem}
.said{border-color:var(--done);display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;align-items:center;justify-content:space-between}
.sort{color:inherit}strong.late{white-space:nowrap;font-weight:700}h1 strong.late{font-size:1rem}
.tabs{margin:0 0 1rem;border-bottom:1px solid var(--line)}.tabs .strip{flex-wrap:nowrap;overflow-x:auto}.held{font-weight:600;color:var(--soft)}
:is(td,.big) a:not(:hover,:focus){text-decoration-line:none}:is(.figure,.big) a{color:inherit}.fold{display:none}.mark{width:1.1rem;height:1.1rem;margin:0 .35rem 0 0;vertical-align:-.15rem}.mark+*{display:inline}
.page-box{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:0}.page-box input{width:5.5rem}#marked{margin:0 0 1rem}
.cards tr:has(th a):hover>*{cursor:pointer;background:var(--back)}
.pair{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:.5rem 1.5rem;margin:0;padding:.4rem 0}
.pair:focus{outline:3px solid var(--act);outline-offset:-3px;border-radius:.4rem}.pair>:is(.said,.wrong,.tab){grid-column:1/-1;margin:0}
.pair h2{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin:0 0 .15rem;font-size:1rem}.pair h2 time{font-weight:400}.pair p{margin:0 0 .15rem}
.payee{font-weight:600}.side{min-width:0;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.5rem}.standing{margin:0 0 .75rem}.standing dd{font-size:1.15rem;font-weight:600}.standing dd :is(.soft,a){font-size:.9rem;font-weight:400}
.said{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center}.one{display:inline;margin:0}
.offers{list-style:none;margin:0 0 .5rem;padding:0}
.offers li{display:flex;gap:.4rem 1rem;align-items:center;padding:.35rem 0;margin:0}.offers .offer,.lately li>div{flex:1;min-width:0}.offers .figure{font-weight:600}
.ways{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:center;font-size:.95rem}.ways a[aria-current]{font-weight:700}.ways :is(a,button){padding:.15rem 0;min-height:1.5rem}
.tab{padding:1rem;background:var(--back);border-radius:.5rem;scroll-margin-top:11rem}.tab:focus{outline:0}
.entry{display:grid;gap:.8rem}.entry>.field{max-width:26rem}.entry fieldset{margin:0;padding:0;border:0}.entry legend{padding:0;font-weight:600}.row{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end}
.entry .check{display:flex;gap:.5rem;align-items:start;padding:.25rem 0}.check :is(input[type=radio],input[type=checkbox]),.choices input,td>input[type=checkbox]{width:1.5rem;height:1.5rem;margin:0;flex:none;accent-color:var(--act)}
.choices{list-style:none;margin:0;padding:0}.choices li{display:flex;flex-wrap:wrap;gap:.2rem .75rem;align-items:center;padding:.3rem 0;border-bottom:1px solid var(--line)}.choices label{flex:1 1 12rem}
.foot{margin:0;font-weight:600}
.form{display:grid;grid-template-columns:minmax(0,1fr);gap:.9rem;max-width:32rem;margin:0 0 1.25rem}.form input,.form select{width:100%;max-width:none}.form .check input{width:auto}.form textarea{width:100%;height:auto}
.form p{margin:.2rem 0 0;font-size:.9rem}.form fieldset{margin:0;padding:0;border:0}.form legend{font-weight:600;font-size:.875rem;padding:0}
.exports{margin:0 0 1rem;font-size:.925rem}.exports .links,.facts .links{list-style:none;margin:0;padding:0}
.bar-of-acts [rel=prev]{order:8}.bar-of-acts [rel=next]{order:9}.class table{table-layout:fixed}.class>summary{margin:1rem 0 .5rem}.class h2{display:inline}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1rem}td .form{display:block;margin:0;white-space:normal}.form>button{justify-self:start}.table th time{white-space:normal}code{font:.95em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
details summary{cursor:pointer;color:var(--act)}
html[aria-busy=true] main{opacity:.6;transition:opacity .1s .15s}
@media screen and (max-width:40rem){
.bar,.top nav{padding-left:1rem;padding-right:1rem}
main{margin:0;padding:1.1rem 1rem 1.5rem;border-radius:0;box-shadow:none}
.search{flex:1 1 100%}h1{font-size:1.35rem}.strip a{padding:.25rem .45rem;font-size:.95rem}
.filters{padding:.75rem}.field{flex:1 1 8rem}.field input,.field select{width:100%;max-width:none}.check{flex:1 1 100%}.check input{width:auto}
input.fold{display:block;position:absolute;opacity:0;width:1px;height:1px}label.fold{display:inline-block;margin:0 0 .75rem}
input.fold:focus-visible+label{outline:3px solid var(--act);outline-offset:2px}input.fold:not(:checked)~.filters{display:none}
.cards,.cards tbody{display:block}.cards thead{display:none}
.cards tr{display:grid;grid-template-columns:minmax(0,1fr) fit-content(65%);grid-auto-flow:dense;gap:.1rem .75rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
.cards tr>*,.cards tr>:first-child:not([colspan]){display:block;overflow-wrap:anywhere;position:static;width:auto;min-width:0;max-width:none;padding:0;border:0;grid-column:1}
.cards tr>.figure{grid-column:2;white-space:normal;overflow-wrap:normal}.cards :is(th,td) a{display:inline-block;min-height:1.5rem;line-height:1.5rem}.mark{width:1.5rem;height:1.5rem}.cards tr>*{animation:none!important}.cards tr>:empty{display:none}.cards td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.8rem}
.pair{grid-template-columns:minmax(0,1fr)}.pair .offers li{flex-wrap:wrap}.pair .offers li>:is(form,.act){flex:1 1 100%;order:2}.offers .ok{width:100%;text-align:center}.facts{grid-template-columns:repeat(auto-fill,minmax(9rem,1fr))}}
@media screen{@keyframes more{from,to{max-height:2rem}}
.table::before{content:"More columns: scroll \\2192";display:block;position:sticky;left:0;width:fit-content;max-height:0;overflow:hidden;
font-size:.85rem;color:var(--soft);animation:more linear both;animation-timeline:scroll(nearest inline)}}
@media (prefers-reduced-motion:reduce){@view-transition{navigation:none}html[aria-busy=true] main{transition:none}}
@media print{body{background:none}.top,.skip,.filters,.crumbs,.pager,.acts,.exports,.tabs,main .minor,details:not([open]){display:none}
main{box-shadow:none;padding:0;margin:0;max-width:none}h1{font-size:18pt}a{color:inherit;text-decoration:none}
section,.sums,.tile{break-inside:avoid}
.tiles{columns:3;zoom:.7}.tile table{font-size:10pt}
@page{margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif}}}
`;

export const style = `${baseStyle}${tableStyle}${chartStyle}${ownRules}`;
