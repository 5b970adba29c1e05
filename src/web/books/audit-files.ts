/**
 * Pages of audit files: the list of formats, and for each a form of parameters that downloads the
 * file.
 */

import { labelOf } from "../../output/field-labels.ts";
import { html, type Markup } from "../../output/markup.ts";
import {
  type AuditFormat,
  auditDays,
  auditFilePath,
  auditFormatNames,
  auditFormats,
} from "../../resources/audit-file.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { Field, Fields } from "../../resources/field.ts";
import { linkFrom } from "../frame/breadcrumbs.ts";
import { alert, link } from "../frame/components.ts";
import {
  areaField,
  checkField,
  choiceField,
  form,
  submit,
  textField,
  typed,
} from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import { messagesOf, notFound } from "../frame/router.ts";
import type { BooksContext } from "./context.ts";
import { namedPeriods } from "./reports/parameters-form.ts";

export const auditFilesPath = "/audit-files";

export const auditFileTitle = (format = ""): string =>
  isFormat(format) ? auditFormats[format].title : "Audit file";

const isFormat = (text: string): text is AuditFormat => Object.hasOwn(auditFormats, text);

export async function showAuditFiles(ctx: BooksContext): Promise<Page> {
  const items = auditFormatNames.map((format) => {
    const { title, summary } = auditFormats[format];
    const to = linkFrom(ctx, `${auditFilesPath}/${format}`);
    return html`<li>${link(to, title)}<br><span class="soft">${summary.charAt(0).toUpperCase() + summary.slice(1)}</span></li>`;
  });
  return {
    title: "Audit files",
    body: html`<p class="soft">The postings of a period, as tax offices and advisers read them.</p>
<ul class="cards">${items}</ul>`,
  };
}

export async function showAuditFile(ctx: BooksContext, format = ""): Promise<Page> {
  const fields = Object.entries(fieldsOf(format)).map(([name, field]) =>
    parameterField(ctx, name, field),
  );
  return {
    title: auditFileTitle(format),
    body: html`${ctx.faults.map(alert)}
${form(ctx, `${auditFilesPath}/${format}`, ...fields, submit("Download"))}`,
  };
}

/** Form fields of a format. @throws NotFoundError */
function fieldsOf(format: string): Fields {
  if (!isFormat(format)) throw notFound();
  return { ...auditDays, ...auditFormats[format].parameters };
}

function parameterField(ctx: BooksContext, name: string, field: Field): Markup {
  const label = labelOf(name);
  const { help: hint = "" } = field;
  if (field.kind === "choice") {
    const values = field.values.map((value) => [value, value.toUpperCase()] as const);
    return choiceField(ctx, { name, label, values });
  }
  if (field.kind === "boolean") {
    return checkField(ctx, name, `${label}: ${hint}`);
  }
  if (name === "accountMap") {
    return areaField(ctx, { name, label, hint });
  }
  const last = namedPeriods(ctx).at(-1);
  const value = name === "fromDate" ? last?.from : name === "toDate" ? last?.to : undefined;
  const isDate = field.kind === "date";
  return textField(ctx, {
    ...{ name, label, value, hint },
    type: isDate ? "date" : "text",
    ...(isDate ? {} : { isOptional: true }),
  });
}

/** Creates and sends the file; an error is shown above the form. */
export async function sendAuditFile(ctx: BooksContext, format = ""): Promise<PageResponse> {
  const fields = fieldsOf(format);
  const parameters = Object.keys(fields).flatMap((name) => {
    const value = typed(ctx, name);
    return value === "" ? [] : [[name, value] as const];
  });
  try {
    const path = auditFilePath(format as AuditFormat);
    return { attachment: await ctx.client.downloadAt(path, Object.fromEntries(parameters)) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const faults = messagesOf(error).map((message) => withLabels(message, Object.keys(fields)));
    return { ...(await showAuditFile({ ...ctx, faults }, format)), status: 400 };
  }
}

/** Replaces parameter names in an error message by the labels of the form fields. */
function withLabels(message: string, names: readonly string[]): string {
  const quotedFlags = new RegExp(`"(${names.join("|")})(?:=([^"]*))?"`, "g");
  const camels = names.filter((name) => /[A-Z]/.test(name)).join("|");
  return message
    .replace(
      quotedFlags,
      (_, name: string, value) => `“${labelOf(name)}”${value === undefined ? "" : ` ${value}`}`,
    )
    .replace(new RegExp(`\\b(?:${camels})\\b`, "g"), (name) => `“${labelOf(name)}”`);
}
