/** Style sheet and script of all pages, at addresses that contain their fingerprint. */
import type { ServiceResponse } from "../../wire/http.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const sheet: Asset = { name: "pages.css", type: "text/css; charset=utf-8", text: style };
const program: Asset = { name: "pages.js", type: "text/javascript; charset=utf-8", text: script };

const pathByAsset = new Map<Asset, string>();

/** Path of an asset with its fingerprint: `/assets/3f9a6c21/pages.css` */
function pathOf(asset: Asset): string {
  let path = pathByAsset.get(asset);
  if (path === undefined) {
    const { hash } = process.getBuiltinModule("node:crypto");
    path = `/assets/${hash("sha256", asset.text).slice(0, 12)}/${asset.name}`;
    pathByAsset.set(asset, path);
  }
  return path;
}

export const stylePath = (): string => pathOf(sheet);
export const scriptPath = (): string => pathOf(program);

/** Cache lifetime in seconds; changed assets get other addresses. */
const keptS = 365 * 86_400;

/** Answers a request for an asset by its path below the base; undefined for any other path. */
export function answerAsset(path: string): ServiceResponse | undefined {
  const asset = [sheet, program].find((asset) => pathOf(asset) === path);
  if (asset === undefined) return undefined;
  return {
    status: 200,
    headers: {
      "content-type": asset.type,
      "cache-control": `private, max-age=${keptS}, immutable`,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    body: asset.text,
  };
}
