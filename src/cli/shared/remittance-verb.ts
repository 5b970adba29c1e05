/** The verb `remittance` of payments and batches: what suppliers are told of them. */
import { remittanceText } from "../../output/documents/remittance-text.ts";
import { marksOf } from "../../output/figures.ts";
import { english } from "../../output/words/words.ts";
import { fileName } from "../../platform/file-name.ts";
import { contact } from "../../resources/contact.ts";
import { email } from "../../resources/email.ts";
import { UsageError } from "../../resources/errors.ts";
import { idOf, pathOf, type Resource } from "../../resources/field.ts";
import { organisation } from "../../resources/organisation.ts";
import { type Remittance, remittance } from "../../resources/remittance.ts";
import type { Command, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { requireExtension } from "../framework/confirm.ts";
import { documentLines } from "../render/document-lines.ts";
import {
  type EmailOptions,
  emailFlags,
  emailOf,
  mailEach,
  outboxNote,
  sayEmailed,
} from "./email-verb.ts";
import { isFolder, savePrinted } from "./save-file.ts";
import { exactMarks } from "./show-document.ts";
import type { Noun } from "./verbs.ts";

const path = `${pathOf(remittance)}/{PaymentID}`;
const pathFor = ({ RemittanceID }: Remittance) => `${pathOf(remittance)}/${RemittanceID}`;
const parametersOf = ({ Contact }: Remittance) => ({ contactID: Contact?.ContactID ?? "" });

/** Declares `acct NOUN remittance KEY`. */
export function remittanceVerb<R extends Resource>(noun: Noun<R>): Command {
  const { resource, word, called, example, find } = noun;
  return command("remittance", `show, save or email what suppliers are told of a ${called}`)
    .writes()
    .key(resource, word)
    .answers(remittance)
    .switch("pdf", "save it as PDF, in this folder unless --output-file says where")
    .switch("force", "write over a file that is there already")
    .switch("email", "send it as PDF to the supplier")
    .flags<EmailOptions>(() => emailFlags)
    .note("Names the bills that are paid, credit notes taken off, and the account paid to.")
    .note(`A batch has one for each supplier. An extension of acct's own service. ${outboxNote}`)
    .example(`acct ${word} remittance ${example}`)
    .example(`acct ${word} remittance ${example} --pdf`)
    .example(`acct ${word} remittance ${example} --email`)
    .putsFile(({ pdf = false }, { output }) => pdf || output === "pdf")
    .action(async (ctx, key, { pdf = false, email: sends = false, force, ...options }) => {
      const isSaved = pdf || ctx.flags.output === "pdf";
      const emailInput = emailOf(options);
      if ((sends && isSaved) || (!sends && emailInput !== undefined)) {
        const message = "--to, --cc, --subject and --message are of --email, which saves no file.";
        throw new UsageError("BadFlags", message);
      }
      await requireExtension(ctx, "A remittance advice", "GET", path);
      const client = await ctx.client();
      const id = idOf(resource, await find(ctx, key));
      const advices = await client.at(remittance, path.replace("{PaymentID}", id));
      if (sends) return emailAll(ctx, advices, emailInput);
      if (!isSaved) return show(ctx, advices);
      const outputFile = ctx.flags.outputFile ?? (pdf ? undefined : "-");
      await saveAll(ctx, advices, { outputFile, force });
    });
}

/** Shows advices as their paper is; as records in other formats, or with `--columns`. */
async function show(ctx: Context, advices: readonly Remittance[]): Promise<void> {
  const client = await ctx.client();
  const isOnScreen = ctx.flags.output === "table" && ctx.flags.columns === undefined;
  const [own] = isOnScreen ? await client.at(organisation, "/Organisation") : [];
  if (own === undefined) return ctx.out.records(remittance, advices);
  for (const advice of advices) {
    const party = await client.find(contact, advice.Contact?.ContactID ?? "");
    await ctx.out.page(async ({ width, paint }) => {
      const numberMarks = width === undefined ? exactMarks : marksOf(own.CountryCode, "-");
      const { organisation: ours, ...text } = remittanceText(
        advice,
        party,
        own,
        english,
        numberMarks,
      );
      const parties = [ours, ...text.parties];
      const factsShown = text.facts.filter(({ value }) => value !== text.number);
      return documentLines(
        { ...text, facts: factsShown, parties, status: "paid", details: [] },
        { width, paint },
      );
    });
  }
}

/** Emails each advice to its supplier. @throws UsageError where all would go to one address */
async function emailAll(
  ctx: Context,
  advices: readonly Remittance[],
  emailInput: ReturnType<typeof emailOf>,
): Promise<void> {
  if (emailInput?.To !== undefined && advices.length > 1) {
    const message = `It pays ${advices.length} suppliers: without --to each gets its own.`;
    throw new UsageError("BadFlags", message);
  }
  const client = await ctx.client();
  const mails = advices.map((advice) => ({
    name: advice.Contact?.Name ?? "",
    async send() {
      const parameters = parametersOf(advice);
      const request = { takes: email, input: emailInput, parameters };
      const [answer] = await client.act(email, `${pathFor(advice)}/Email`, request);
      const name = `the remittance advice ${advice.Handle} of ${advice.Contact?.Name}`;
      return sayEmailed(ctx, name, advice, answer, emailInput);
    },
  }));
  await mailEach(ctx, mails, "sent");
}

/** Saves each advice as PDF. @throws UsageError where several would go to one file */
async function saveAll(
  ctx: Context,
  advices: readonly Remittance[],
  fileOptions: { readonly outputFile: string | undefined; readonly force: boolean | undefined },
): Promise<void> {
  const { outputFile } = fileOptions;
  if (advices.length > 1 && outputFile !== undefined && !(await isFolder(outputFile))) {
    const message = `It pays ${advices.length} suppliers, with a file for each: name a folder, or use --pdf.`;
    throw new UsageError("BadFlags", message);
  }
  const client = await ctx.client();
  for (const advice of advices) {
    const { RemittanceID, Handle, Contact } = advice;
    const name = fileName(`Remittance ${Handle} ${Contact?.Name}`, RemittanceID, "pdf");
    await savePrinted(ctx, name, fileOptions, (onMissing) =>
      client.printedAt(pathFor(advice), remittance.noun, {
        ...{ parameters: parametersOf(advice), onMissing },
      }),
    );
  }
}
