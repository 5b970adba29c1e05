/** Forms with files, as browsers send them. */
import { type Chunks, collect } from "./body.ts";

/** A file of a form. */
export interface UploadedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A submitted form: its text fields, and its files by the order of the form. */
export interface FilledForm {
  readonly form: URLSearchParams;
  readonly files: readonly UploadedFile[];
}

/**
 * Reads a form in `multipart/form-data`. Fields for files that were left empty yield no file.
 *
 * @param contentType  the header, which holds the boundary
 * @param bytesMax     limit of the whole form
 * @throws RefusedError `BodyTooLarge` or `BodyIncomplete`; TypeError for what is no such form
 * @source RFC 7578
 */
export async function readFilledForm(
  contentType: string,
  body: Uint8Array | Chunks,
  bytesMax: number,
): Promise<FilledForm> {
  const bytes = await collect(body, bytesMax);
  const headers = { "content-type": contentType };
  const entries = [...(await new Response(Buffer.from(bytes), { headers }).formData())];
  const files = entries.flatMap(([, value]) =>
    typeof value === "string" || (value.name === "" && value.size === 0) ? [] : [value],
  );
  const form = new URLSearchParams();
  for (const [name, value] of entries) if (typeof value === "string") form.append(name, value);
  return {
    form,
    files: await Promise.all(
      files.map(async (file) => ({
        name: file.name,
        mimeType: file.type || "application/octet-stream",
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    ),
  };
}
