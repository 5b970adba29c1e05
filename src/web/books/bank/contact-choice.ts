/**
 * Choice of a contact by its name: one of that name is taken, one of several like it is chosen, and
 * a new one is made only where that is said.
 */
import { html, type Markup } from "../../../output/markup.ts";
import { contact } from "../../../resources/contact.ts";
import { refusal } from "../../../resources/errors.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import { isolated } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { said, textInput } from "./line-context.ts";

/** Contacts that are offered for a name. */
const offeredMax = 8;
const newOne = "new";

interface Party {
  readonly ContactID: string;
  readonly Name: string;
}

const isActive = compare(contact.fields, "ContactStatus", "==", "ACTIVE");

async function findPartiesLike({ client }: BooksContext, name: string): Promise<readonly Party[]> {
  if (name === "") return [];
  const find = async (searchTerm: string) =>
    Array.fromAsync(
      client.list(contact, { where: isActive, searchTerm, limit: offeredMax, count: false }),
    );
  const parties = await find(name);
  const [word = ""] = name.split(/\s+/).toSorted((a, b) => b.length - a.length);
  return parties.length > 0 || word === name || word.length < 3 ? parties : find(word);
}

const hasName = (name: string) => (party: Party) => party.Name.toLowerCase() === name.toLowerCase();

/** @param label  of the field @param preset  name where none was entered */
export async function contactFields(
  ctx: BooksContext,
  values: URLSearchParams,
  label: string,
  preset: string,
): Promise<Markup> {
  const who = said(values, "who");
  const knownParty = who === "" || who === newOne ? undefined : await contactWith(ctx, who);
  const name = values.has("contact") ? said(values, "contact") : (knownParty?.Name ?? preset);
  const field = textInput({ name: "contact", label, value: name });
  const like = await findPartiesLike(ctx, name);
  if (name === "" || like.filter(hasName(name)).length === 1) return field;
  const parties = like.map((party) => radioButton(party.ContactID, party.Name, who));
  return html`${field}<fieldset class="parties"><legend>Which contact?</legend>${parties}${
    like.some(hasName(name)) ? "" : radioButton(newOne, `A new contact: ${name}`, who)
  }</fieldset>`;
}

function radioButton(value: string, text: string, chosen: string): Markup {
  const id = `tab-who-${value}`;
  return html`<div class="check"><input type="radio" id="${id}" name="who" value="${value}"${value === chosen ? html` checked` : ""}><label for="${id}">${isolated(text)}</label></div>`;
}

async function contactWith({ client }: BooksContext, id: string): Promise<Party | undefined> {
  const where = allOf([isActive, compare(contact.fields, "ContactID", "==", id)]);
  for await (const record of client.list(contact, { where, limit: 1, count: false })) return record;
  return undefined;
}

/**
 * The contact that the fields say.
 *
 * @returns undefined where no name was entered
 * @throws RefusedError for a name of no contact that was not said to be new, and of several
 */
export async function contactIn(
  ctx: BooksContext,
  values: URLSearchParams,
): Promise<{ readonly ContactID: string } | { readonly Name: string } | undefined> {
  const name = said(values, "contact");
  const chosenId = said(values, "who");
  const sameName = name === "" ? [] : (await findPartiesLike(ctx, name)).filter(hasName(name));
  const [only] = sameName;
  if (sameName.length === 1 && only !== undefined) return { ContactID: only.ContactID };
  if (chosenId !== "" && chosenId !== newOne) return { ContactID: chosenId };
  if (name === "") return undefined;
  if (chosenId === newOne && sameName.length === 0) return { Name: name };
  throw refusal(
    "OneContact",
    sameName.length > 1
      ? `Several contacts are named ${name}: choose one.`
      : `There is no contact ${name}: choose one, or say that it is new.`,
  );
}
