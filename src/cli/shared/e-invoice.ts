/** Verbs of e-invoices: export to customers, and import from suppliers. */
import { resolve as absolute, basename } from "node:path";
import { fileName } from "../../platform/file-name.ts";
import { inputBounds } from "../../resources/bounds.ts";
import { eInvoiceFormats } from "../../resources/e-invoice.ts";
import { RefusedError } from "../../resources/errors.ts";
import { idOf, type Resource } from "../../resources/field.ts";
import { nameOf } from "../../wire/codec.ts";
import { plainValue } from "../../wire/plain.ts";
import type { Command } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { nameOfRecord, requireExtension } from "../framework/confirm.ts";
import { readBytes } from "../framework/input.ts";
import { mediaTypeOf } from "../values/media-types.ts";
import { type Noun, withArticle } from "./verbs.ts";

const root = "/Extensions/EInvoices";
const subject = "An e-invoice";

/** Declares `acct NOUN e-invoice KEY` for documents to customers. */
export function eInvoiceCommand<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("e-invoice", `save ${withArticle(called)} as an e-invoice, which programs read`)
    .key(resource, word)
    .answers("nothing")
    .field(
      "format",
      { kind: "choice", values: eInvoiceFormats },
      { help: "what the customer takes; the usual one of the country when not given" },
    )
    .flag(
      "output-file",
      "where to, - for standard output; its number in this folder when not given",
      { placeholder: "FILE", live: "file" },
    )
    .switch("force", "write over a file that is there already")
    .note(
      "ubl and cii are EN 16931; facturx (ZUGFeRD) is the PDF with the XML inside, PDF/A-3; xrechnung " +
        "(and xrechnung-cii) is for Germany, peppol for the network, pint-anz for Australia and New Zealand.",
    )
    .note(
      "Usual is facturx in France and Germany, there xrechnung for a customer whose buyer reference is a Leitweg-ID.",
    )
    .note(
      "What the standard demands and the book lacks is named with the command that sets it, before " +
        "anything is written. Prints the name of the file.",
    )
    .example(`acct ${word} e-invoice ${example} --format peppol`)
    .example(`acct ${word} e-invoice ${example} --format facturx --output-file invoice.pdf`)
    .action(async (ctx, key, { format, outputFile, force }) => {
      const path = `${root}/${resource.plural}`;
      await requireExtension(ctx, subject, "GET", `${path}/{${resource.id}}`);
      const document = await find(ctx, key);
      const id = idOf(resource, document);
      const client = await ctx.client();
      const bytes = await client.fileAt(`${path}/${encodeURIComponent(id)}`, defined({ format }));
      const number = nameOf(resource, document as Record<string, unknown>);
      const name = fileName(number, id, isPdf(bytes) ? "pdf" : "xml");
      const { saveBytes } = await import("./save-file.ts");
      await saveBytes(ctx, name, { outputFile, force }, async () => bytes);
    });
}

/** Returns the parameters that have a value. */
function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-";

/**
 * Declares `acct NOUN import-e-invoice FILE` for documents from suppliers.
 *
 * @param commandPath  last segment of the endpoint's path
 */
export function importEInvoiceCommand<R extends Resource>(
  { resource, word, called }: Pick<Noun<R>, "resource" | "word" | "called">,
  commandPath: string,
): Command {
  return command("import-e-invoice", `make a draft ${called} of a supplier's e-invoice`)
    .writes()
    .argument("FILE", "UBL, CII, or a PDF with one of them inside; - for standard input", {
      live: "file",
    })
    .answers(resource)
    .flag(
      "contact",
      "the supplier; found by tax number, address, bank account or name when not given",
      { placeholder: "NAME|ID", live: "contact", refers: "contact" },
    )
    .switch("create-contact", "make the supplier where no contact is it")
    .flag("account", "where the lines are booked; the supplier's usual one when not given", {
      placeholder: "NAME|CODE",
      live: "account",
      refers: "account",
    })
    .field(
      "currency-rate",
      { kind: "rate" },
      {
        help: "foreign units for one unit of the base currency",
      },
    )
    .switch("tax-as-cost", "tax is part of the cost, such as that of another country")
    .switch("totals-only", "one line for each tax rate, where the e-invoice has no lines")
    .note(
      "The file stays on the draft. Its totals must agree to the cent, and what the supplier sent " +
        "before is not made again.",
    )
    .example(`acct ${word} import-e-invoice invoice.xml --account 429`)
    .example(`acct ${word} import-e-invoice scan.pdf --create-contact --dry-run`)
    .action(async (ctx, file, options) => {
      const path = `${root}/${commandPath}`;
      await requireExtension(ctx, subject, "POST", path);
      const bytes = await readBytes(ctx, file, inputBounds.eInvoice);
      const name = file === "-" ? undefined : basename(absolute(file));
      const client = await ctx.client();
      const submit = (isTotalsOnly: boolean) =>
        client.submit(
          resource,
          path,
          { mimeType: mediaTypeOf(name ?? ""), bytes },
          defined({
            fileName: name,
            contact: options.contact,
            createContact: options.createContact === true ? "true" : "",
            account: options.account,
            currencyRate: plainValue({ kind: "rate" }, options.currencyRate),
            taxAsCost: options.taxAsCost === true ? "true" : "",
            totalsOnly: isTotalsOnly ? "true" : "",
          }),
        );
      const { record, warnings } = await submit(options.totalsOnly === true).catch(
        async (error: unknown) => {
          const isAsked = options.totalsOnly === true || !ctx.flags.input;
          if (!(error instanceof RefusedError) || error.code !== "TotalsOnly" || isAsked)
            throw error;
          const question = "The e-invoice has totals alone. Make one line for each tax rate?";
          if (!(await ctx.ask.confirm(question, { flag: "--totals-only" }))) throw error;
          return submit(true);
        },
      );
      for (const warning of warnings) ctx.out.say(warning);
      if (ctx.flags.dryRun) {
        ctx.out.say(`The draft ${called} ${nameOfRecord(resource, record)} would be made.`);
      }
      await ctx.out.record(resource, record);
    });
}
