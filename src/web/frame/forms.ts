/** Forms that change data, with the CSRF token of their reader. */
import { html, Markup } from "../../output/markup.ts";
import { trailFields } from "./breadcrumbs.ts";
import type { Content } from "./components.ts";
import type { Page, PageContext } from "./page-context.ts";

/** Form with a CSRF token and the trail. @param path  path of the action, below the base */
export function form(ctx: PageContext, path: string, ...content: readonly Content[]): Markup {
  return html`<form class="form" method="post" action="${ctx.base}${path}">
${hidden([["token", ctx.formToken], ...trailFields(ctx)])}${content}</form>`;
}

/** Form as `form`, with fields for files. */
export function fileForm(ctx: PageContext, path: string, ...content: readonly Content[]): Markup {
  const { text } = form(ctx, path, ...content);
  return new Markup(text.replace("<form ", '<form enctype="multipart/form-data" '));
}

/** Hidden fields. */
export const hidden = (fields: Iterable<readonly [name: string, value: string]>): Markup =>
  html`${[...fields].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )}`;

export const submit = (text: string, name?: string, value?: string): Markup =>
  name === undefined
    ? html`<div class="acts"><button class="act">${text}</button></div>
`
    : html`<button class="act other" name="${name}" value="${value ?? ""}">${text}</button>`;

interface FormTextField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "url" | "date";
  readonly value?: string | undefined;
  readonly autocomplete?: string;
  readonly isOptional?: true;
  readonly max?: number;
  /** Hint below the field. */
  readonly hint?: string;
}

/** Text field with the value typed before, except for passwords. */
export function textField(ctx: PageContext, field: FormTextField): Markup {
  const { name, label, type = "text", isOptional, max = 255, hint } = field;
  const { autocomplete = "off" } = field;
  const typed = type === "password" ? "" : (ctx.form?.get(name) ?? field.value ?? "");
  const id = `field-${name}`;
  const described = hint === undefined ? "" : new Markup(` aria-describedby="${id}-hint"`);
  const required = isOptional ? "" : new Markup(" required");
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" maxlength="${max}" autocomplete="${autocomplete}" value="${typed}"${required}${described}>
${hint === undefined ? "" : html`<p class="soft" id="${id}-hint">${hint}</p>`}</div>
`;
}

export function choiceField(
  ctx: PageContext,
  field: {
    readonly name: string;
    readonly label: string;
    readonly values: readonly (readonly [value: string, text: string])[];
    readonly value?: string | undefined;
  },
): Markup {
  const { name, label, values } = field;
  const option = ctx.form?.get(name) ?? field.value;
  const id = `field-${name}`;
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${values.map(
    ([value, text]) =>
      html`<option value="${value}"${value === option ? new Markup(" selected") : ""}>${text}</option>`,
  )}</select></div>
`;
}

/** Text of several lines, with what was typed before. */
export function areaField(
  ctx: PageContext,
  field: {
    readonly name: string;
    readonly label: string;
    readonly value?: string | undefined;
    readonly max?: number;
    readonly isRequired?: true;
    /** Hint below the field. */
    readonly hint?: string;
  },
): Markup {
  const { name, label, value = "", max, isRequired, hint } = field;
  const id = `field-${name}`;
  const described = hint === undefined ? "" : new Markup(` aria-describedby="${id}-hint"`);
  const limit = max === undefined ? "" : html` maxlength="${max}"`;
  const required = isRequired ? new Markup(" required") : "";
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="6"${limit}${required}${described}>${ctx.form?.get(name) ?? value}</textarea>
${hint === undefined ? "" : html`<p class="soft" id="${id}-hint">${hint}</p>`}</div>
`;
}

/** Field for files, which are chosen or dropped. */
export const filesField = (name: string, label: string, hint: string): Markup =>
  html`<div class="field"><label for="field-${name}">${label}</label>
<input class="drop" id="field-${name}" name="${name}" type="file" multiple required aria-describedby="field-${name}-hint">
<p class="soft" id="field-${name}-hint">${hint}</p></div>
`;

/** Box to tick, whose value is `true`. */
export function checkField(ctx: PageContext, name: string, label: string): Markup {
  const checked = typed(ctx, name) === "true" ? new Markup(" checked") : "";
  return html`<div class="field check"><input type="checkbox" id="field-${name}" name="${name}" value="true"${checked}><label for="field-${name}">${label}</label></div>
`;
}

export const typed = ({ form }: PageContext, name: string): string => form?.get(name)?.trim() ?? "";

/** Page that asks for confirmation before something is ended or removed. */
export function askPage(
  ctx: PageContext,
  question: {
    readonly title: string;
    /** Consequences of the action, in a sentence or two. */
    readonly text: Content;
    readonly button: string;
    /** Path of the form below the base; `back` is the path of the link that cancels. */
    readonly path: string;
    readonly back: string;
    /** Fields that were filled in before, sent again with the answer. */
    readonly fields?: Iterable<readonly [name: string, value: string]>;
  },
): Page {
  const { title, text, button, path, back, fields = [] } = question;
  return {
    title,
    body: html`<p>${text}</p>
${form(
  ctx,
  path,
  html`${hidden(fields)}<div class="acts"><button class="act">${button}</button><a class="act other" href="${ctx.base}${back}">Leave it as it is</a></div>
`,
)}`,
  };
}
