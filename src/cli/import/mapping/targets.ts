/**
 * Fields to which a column can be mapped, found by name.
 *
 * A name is a dotted path into the description of the record: `DueDate`, `Contact.Name`,
 * `Contact.Addresses.POBOX.City`, `LineItems.Tracking.1.Option`. Fields of a line need no
 * `LineItems.` prefix. Headings of the common import templates are aliases.
 */
import { contact } from "../../../resources/contact.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  fieldNamed,
  isScalar,
  money,
  type ScalarKind,
} from "../../../resources/field.ts";
import { invoice } from "../../../resources/invoice.ts";
import { item } from "../../../resources/item.ts";
import { lineItemFields } from "../../../resources/line-item.ts";
import { choiceIn } from "../../../resources/scalar.ts";
import { type DescribedKind, describedKinds } from "../described/described-kinds.ts";
import type { ImportNoun } from "../options.ts";
import { plainHeading } from "./heading-row.ts";

/**
 * The object that a field belongs to: the record, its line, the contact or item it refers to, or the
 * totals with which the record has to agree.
 */
export type TargetPart = "record" | "line" | "contact" | "item" | "totals";

/** A step of a path: a field, or a list element by type or index. */
type PathStep =
  | { readonly name: string }
  | { readonly by: string; readonly value: string }
  | { readonly index: number };

export interface FieldTarget {
  /** Canonical path, for display: `Contact.Name`, `LineItems.Quantity`. */
  readonly path: string;
  readonly part: TargetPart;
  /** Path within the part: `Name`, `Quantity`. */
  readonly name: string;
  readonly field: CellField;
  /** Sets the value in a record, or in its line. */
  readonly put: (object: object, value: unknown) => void;
}

/** Fields that a cell can hold: a scalar, texts, or a list as JSON. */
export type CellField = FieldOf<ScalarKind | "many" | "texts">;

interface Root {
  readonly part: TargetPart;
  /** Accepted path prefixes; the first is canonical. */
  readonly prefixes: readonly string[];
  /** Whether the prefix is optional. */
  readonly open: boolean;
  readonly fields: Fields;
  /** Fields that files cannot set. */
  readonly omit: readonly string[];
  /** Member of the record, or of its line, that contains the part. */
  readonly under?: string;
}

const documentRoots: readonly Root[] = [
  {
    part: "record",
    prefixes: ["Invoice", "Bill"],
    open: true,
    fields: invoice.fields,
    omit: ["InvoiceID", "Contact", "LineItems"],
  },
  {
    part: "line",
    prefixes: ["LineItems", "LineItem", "Line", "Lines"],
    open: true,
    fields: lineItemFields,
    omit: ["LineItemID", "AccountID"],
  },
  {
    part: "contact",
    prefixes: ["Contact"],
    open: false,
    fields: contact.fields,
    omit: ["ContactStatus"],
    under: "Contact",
  },
  {
    part: "item",
    prefixes: ["Item"],
    open: false,
    fields: item.fields,
    omit: ["ItemID", "Code"],
    under: "Item",
  },
];

/** Returns the parts of a record kind that is imported by its description. */
function describedRoots({ resource, fields, lines, omit = [] }: DescribedKind): readonly Root[] {
  return [
    { part: "record", prefixes: [resource.name], open: true, fields, omit },
    ...(lines === undefined
      ? []
      : [
          {
            part: "line" as const,
            prefixes: [lines.name],
            open: true,
            fields: { ...lines.fields, ...lines.typed?.fields },
            omit: ["LineItemID", "AccountID"],
          },
        ]),
  ];
}

const totalsRoot: Root = {
  part: "totals",
  prefixes: ["Totals"],
  open: true,
  fields: { SubTotal: money(), TotalTax: money(), Total: money() },
  omit: [],
};

function rootsOf(noun: ImportNoun): readonly Root[] {
  const kind = describedKinds[noun];
  const roots = kind.makesRelated ? documentRoots : describedRoots(kind);
  return "SubTotal" in kind.resource.fields ? [...roots, totalsRoot] : roots;
}

const addressHeadings = (headingPrefix: string, memberPrefix: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...["AddressLine1", "AddressLine2", "AddressLine3", "AddressLine4", "City", "Region"],
      ...["PostalCode", "Country", "AttentionTo"],
    ].map((name) => [`${headingPrefix}${name}`, `${memberPrefix}.${name}`]),
  );

const documentHeadings: Readonly<Record<string, string>> = {
  ContactName: "Contact.Name",
  ContactNumber: "Contact.ContactNumber",
  EmailAddress: "Contact.EmailAddress",
  ...addressHeadings("PO", "Contact.Addresses.POBOX"),
  ...addressHeadings("SA", "Contact.Addresses.STREET"),
  InvoiceNo: "InvoiceNumber",
  InvoiceDate: "Date",
  PlannedDate: "PlannedPaymentDate",
  ExpectedDate: "ExpectedPaymentDate",
  InventoryItemCode: "LineItems.ItemCode",
  UnitPrice: "LineItems.UnitAmount",
  Discount: "LineItems.DiscountRate",
  TrackingName1: "LineItems.Tracking.1.Name",
  TrackingOption1: "LineItems.Tracking.1.Option",
  TrackingName2: "LineItems.Tracking.2.Name",
  TrackingOption2: "LineItems.Tracking.2.Option",
  Currency: "CurrencyCode",
  TaxTotal: "TotalTax",
};

const billHeadings = {
  ...documentHeadings,
  BillNumber: "InvoiceNumber",
  BillDate: "Date",
  SupplierName: "Contact.Name",
};

const contactHeadings: Readonly<Record<string, string>> = {
  ContactName: "Name",
  ...addressHeadings("PO", "Addresses.POBOX"),
  ...addressHeadings("SA", "Addresses.STREET"),
  PhoneNumber: "Phones.DEFAULT.PhoneNumber",
  FaxNumber: "Phones.FAX.PhoneNumber",
  MobileNumber: "Phones.MOBILE.PhoneNumber",
  DDINumber: "Phones.DDI.PhoneNumber",
  BankAccountNumber: "BankAccountDetails",
  SalesAccount: "SalesDefaultAccountCode",
  PurchasesAccount: "PurchasesDefaultAccountCode",
  Currency: "DefaultCurrency",
};

const itemHeadings: Readonly<Record<string, string>> = {
  ItemCode: "Code",
  ItemName: "Name",
  PurchasesDescription: "PurchaseDescription",
  PurchasesUnitPrice: "PurchaseDetails.UnitPrice",
  PurchasesAccount: "PurchaseDetails.AccountCode",
  PurchasesTaxRate: "PurchaseDetails.TaxType",
  CostOfGoodsSoldAccount: "PurchaseDetails.COGSAccountCode",
  SalesDescription: "Description",
  SalesUnitPrice: "SalesDetails.UnitPrice",
  SalesAccount: "SalesDetails.AccountCode",
  SalesTaxRate: "SalesDetails.TaxType",
  InventoryAssetAccount: "InventoryAssetAccountCode",
};

const paymentHeadings: Readonly<Record<string, string>> = {
  InvoiceNumber: "Invoice.InvoiceNumber",
  InvoiceNo: "Invoice.InvoiceNumber",
  BillNumber: "Invoice.InvoiceNumber",
  InvoiceID: "Invoice.InvoiceID",
  CreditNoteNumber: "CreditNote.CreditNoteNumber",
  ContactName: "Contact.Name",
  AccountCode: "Account.Code",
  BankAccount: "Account.Code",
  PaymentDate: "Date",
};

const bankTransactionHeadings: Readonly<Record<string, string>> = {
  ContactName: "Contact.Name",
  BankAccountCode: "BankAccount.Code",
};

const assetHeadings: Readonly<Record<string, string>> = {
  Number: "AssetNumber",
  AssetName: "Name",
  Bought: "PurchaseDate",
  PurchasePrice: "Cost",
  Start: "DepreciationStartDate",
  Residual: "ResidualValue",
  EffectiveLife: "Life",
  AssetAccountCode: "AssetAccount.Code",
  AccumulatedAccountCode: "AccumulatedAccount.Code",
  ExpenseAccountCode: "ExpenseAccount.Code",
};

/** Aliases of fields by noun. */
const headings: Partial<Readonly<Record<ImportNoun, Readonly<Record<string, string>>>>> = {
  invoice: documentHeadings,
  bill: billHeadings,
  contact: contactHeadings,
  item: itemHeadings,
  payment: paymentHeadings,
  "credit-note": { TaxTotal: "TotalTax" },
  "manual-journal": { Amount: "JournalLines.LineAmount", TaxRate: "JournalLines.TaxType" },
  "bank-transaction": bankTransactionHeadings,
  asset: assetHeadings,
};

/** Returns the field for a name or heading; undefined when there is none. */
export function targetNamed(noun: ImportNoun, name: string): FieldTarget | undefined {
  const plainName = plainHeading(name);
  const alias = Object.entries(headings[noun] ?? {}).find(
    ([other]) => other.toLowerCase() === plainName,
  );
  const segments = (alias?.[1] ?? name.trim()).split(".").map(plainHeading);
  for (const root of rootsOf(noun)) {
    const isPrefixed = root.prefixes.some((prefix) => prefix.toLowerCase() === segments[0]);
    const inner = isPrefixed && segments.length > 1 ? segments.slice(1) : undefined;
    const fieldTarget =
      (inner && targetAt(root, inner)) ?? (root.open ? targetAt(root, segments) : undefined);
    if (fieldTarget !== undefined) return fieldTarget;
  }
  return undefined;
}

/** Returns field names for suggestions after a typing error. */
export function targetNames(noun: ImportNoun): string[] {
  const names = rootsOf(noun).flatMap(({ fields, omit, open, prefixes }) =>
    Object.entries(fields)
      .filter(([name, field]) => isScalar(field) && field.readOnly !== true && !omit.includes(name))
      .map(([name]) => (open ? name : `${prefixes[0]}.${name}`)),
  );
  return [...names, ...Object.keys(headings[noun] ?? {})];
}

function targetAt(root: Root, segments: readonly string[]): FieldTarget | undefined {
  const steps: PathStep[] = root.under === undefined ? [] : [{ name: root.under }];
  const names: string[] = [];
  let fields: Fields = root.fields;
  let field: Field | undefined;
  for (let at = 0; at < segments.length; at++) {
    const name = fieldNamed(fields, segments[at] ?? "");
    field = name === undefined ? undefined : fields[name];
    if (name === undefined || field === undefined || field.readOnly === true) return undefined;
    if (at === 0 && root.omit.includes(name)) return undefined;
    steps.push({ name });
    names.push(name);
    if (field.kind === "ref") {
      const nextSegment = segments[at + 1];
      if (!field.by.some((key) => key.toLowerCase() === nextSegment)) return undefined;
      fields = field.fields;
    } else if (field.kind === "one") {
      fields = field.fields;
    } else if (field.kind === "many" && (at + 1 < segments.length || !isCell(field))) {
      at += 1;
      const element = elementStep(field, segments[at] ?? "");
      if (element === undefined) return undefined;
      steps.push(element.step);
      names.push(element.shown);
      fields = field.fields;
    }
  }
  if (field === undefined || !(isScalar(field) || isCell(field))) return undefined;
  const name = names.join(".");
  const pathPrefix = root.part === "record" || root.part === "totals" ? "" : `${root.prefixes[0]}.`;
  return {
    path: pathPrefix + name,
    part: root.part,
    name,
    field,
    put: putAlong(steps),
  };
}

/** Maximum count of list elements with columns of their own. */
export const columnsOfList = 5;

/** Whether a list is a single cell: texts, or elements that are numerous and have no name. */
export function isCell(field: Field): field is FieldOf<"many" | "texts"> {
  if (field.kind === "texts") return true;
  return (
    field.kind === "many" &&
    field.mergeBy === undefined &&
    (field.max === undefined || field.max > columnsOfList)
  );
}

function elementStep(
  field: FieldOf<"many">,
  segment: string,
): { step: PathStep; shown: string } | undefined {
  if (field.mergeBy !== undefined) {
    const key = field.fields[field.mergeBy];
    const value = key?.kind === "choice" ? choiceIn(key.values, segment) : undefined;
    if (value === undefined) return undefined;
    return { step: { by: field.mergeBy, value }, shown: value };
  }
  const index = /^[1-9]$/.test(segment) ? Number(segment) : 0;
  if (index === 0 || index > (field.max ?? 9)) return undefined;
  return { step: { index: index - 1 }, shown: segment };
}

type Members = Record<string, unknown>;

function putAlong(steps: readonly PathStep[]): FieldTarget["put"] {
  const [only, ...others] = steps;
  if (only !== undefined && others.length === 0 && "name" in only) {
    const { name } = only;
    return (object, value) => {
      (object as Members)[name] = value;
    };
  }
  return (object, value) => {
    let container: unknown = object;
    for (const [at, step] of steps.entries()) {
      const nextStep = steps[at + 1];
      if (nextStep === undefined) {
        if ("name" in step) (container as Members)[step.name] = value;
      } else container = enterMember(container, step, "name" in nextStep ? {} : []);
    }
  };
}

/** Returns the member at a path step, which is created if missing. */
function enterMember(value: unknown, step: PathStep, empty: object): unknown {
  if ("name" in step) {
    const members = value as Members;
    members[step.name] ??= empty;
    return members[step.name];
  }
  const elements = value as Members[];
  if ("by" in step) {
    const record = elements.find((members) => members[step.by] === step.value);
    if (record !== undefined) return record;
    const newElement = { [step.by]: step.value };
    elements.push(newElement);
    return newElement;
  }
  while (elements.length <= step.index) elements.push({});
  return elements[step.index];
}
