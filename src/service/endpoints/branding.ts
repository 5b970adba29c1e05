/** /BrandingThemes and /PaymentServices: how documents look, and the ways to pay that they offer. */
import type { BrandingTheme, PaymentService } from "../../resources/branding-theme.ts";
import { brandingTheme, paymentService } from "../../resources/index.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import { offer, offeredBy } from "../../store/records/branding.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { unique } from "../grouped.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { Faults } from "../request/faults.ts";
import { withDefaults } from "../request/merge.ts";
import { readInputs } from "../request/write.ts";
import {
  type Endpoint,
  locate,
  onlyRead,
  type RecordWriter,
  type WriteRequest,
} from "./endpoint.ts";

export const brandingThemes: Endpoint<BrandingTheme> = {
  resource: brandingTheme,
  listOrder: "SortOrder",
  expand: async (call, _tx, records) =>
    records.map((theme) => ({ ...theme, LogoUrl: logoUrl(call, theme) })),
  writer: onlyRead,
};

/** Where the logo of a theme is, which the store knows without the address of the service. */
export function logoUrl(
  { baseUrl }: RequestContext,
  { LogoUrl }: BrandingTheme,
): string | undefined {
  return LogoUrl === undefined ? undefined : `${baseUrl}${LogoUrl}`;
}

/** By folded name. */
type Taken = Map<string, PaymentService>;

async function taken({ tx, entries }: WriteRequest<PaymentService>): Promise<Taken> {
  const names = unique(
    entries.map(({ input }) => (input as Partial<PaymentService>).PaymentServiceName),
  );
  const found = names.length === 0 ? [] : await fetch(tx, paymentService, nameField, names);
  return new Map(found.map((each) => [fold(each.PaymentServiceName), each]));
}

const nameField = "PaymentServiceName";

export const paymentServices: Endpoint<PaymentService, Taken> = {
  resource: paymentService,
  writer: async () => serviceWriting,
};

const serviceWriting: RecordWriter<PaymentService, Taken> = {
  async alternates(batch) {
    const known = await taken(batch);
    return batch.entries.map(({ input }) => known.get(fold(String(input[nameField] ?? ""))));
  },

  clash: (_input, existing) => nameTaken(existing.PaymentServiceName),

  load: taken,

  decide({ call }, known, entry) {
    const faults = new Faults();
    const record: PaymentService = {
      ...withDefaults<PaymentService>(paymentService.fields, entry.input),
      PaymentServiceID: call.newId(),
    };
    // It stands on invoices as a link that customers pay by.
    if (URL.parse(record.PaymentServiceUrl)?.protocol !== "https:") {
      faults.add("PaymentServiceUrl must be an address that begins with https://.");
    }
    const name = fold(record.PaymentServiceName);
    if (known.has(name)) faults.add(nameTaken(record.PaymentServiceName));
    faults.check();
    known.set(name, record);
    entry.record = record;
    const details = `The payment service ${record.PaymentServiceName} was created.`;
    entry.history.push({ changes: "Created", details });
  },

  async keep({ tx }, _known, decided) {
    await save(
      tx,
      paymentService,
      decided.flatMap((entry) => entry.record ?? []),
    );
  },
};

function nameTaken(name: string): string {
  return `There is a payment service ${name} already.`;
}

/** GET /BrandingThemes/{id}/PaymentServices. */
export async function readOffered(call: RequestContext, key: string): Promise<ServiceResponse> {
  const services = await call.read(async (tx) => {
    const { BrandingThemeID } = await locate(call, tx, brandingThemes, key);
    return offeredBy(tx, BrandingThemeID);
  });
  return answer(call, paymentService, services, "single");
}

/** POST /BrandingThemes/{id}/PaymentServices: offers one on its documents; answers all it offers. */
export async function offerService(call: RequestContext, key: string): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: paymentService }, 1);
  const { PaymentServiceID } = input as Partial<PaymentService>;
  return call.write(async (tx) => {
    const theme = await locate(call, tx, brandingThemes, key);
    const faults = new Faults();
    if (PaymentServiceID === undefined) faults.add("PaymentServiceID is required.");
    const [service] = await fetch(
      tx,
      paymentService,
      "PaymentServiceID",
      PaymentServiceID === undefined ? [] : [PaymentServiceID],
    );
    if (PaymentServiceID !== undefined && service === undefined) {
      faults.add(`There is no payment service ${PaymentServiceID}.`);
    }
    faults.check();
    if (service !== undefined) await offer(tx, theme.BrandingThemeID, service.PaymentServiceID);
    return answer(call, paymentService, await offeredBy(tx, theme.BrandingThemeID), "single");
  });
}
