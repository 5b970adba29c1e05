/** Pictures of QR codes on pages. */
import { html, type Markup } from "../markup.ts";
import { qrCode } from "../qr-code.ts";

/** The QR code of a text, dark on light in every colour scheme. @param width  in CSS pixels */
export function qrPicture(text: string, label: string, width: number): Markup {
  const { size, runs } = qrCode(text);
  const dark = runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join("");
  return html`<svg width="${width}" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${dark}"/></svg>`;
}
