/** Maps refusal messages of services that send no rule name to rules. */
import type { RuleName } from "../resources/refusal-rules.ts";

/** Patterns of whole messages, in which names and figures may vary. */
const sentences: readonly (readonly [RegExp, RuleName])[] = [
  [/^There is no .+\.$/, "NotFound"],
  [/^The document date cannot be before the .+ lock date, currently set at \S+$/, "LockDate"],
  [/^The document date is on or before the lock date, \d+ [A-Z][a-z]{2} \d{4}\.?$/, "LockDate"],
  [/^The TaxType code '.*' cannot be used with account code '.*'\.$/, "TaxOnAccount"],
  [/^Payment amount exceeds the amount outstanding on this document$/, "AmountOutstanding"],
  [/^The amount exceeds the (?:remaining credit|amount outstanding .+)\.$/, "AmountOutstanding"],
  [/^Payments can only be made against Authorised documents$/, "AuthorisedOnly"],
  [/^The line total \S+ does not match the expected line total \S+$/, "LineAmount"],
  [/^The tax amount \S+ does not match the expected tax amount \S+$/, "TaxAmount"],
  [/^A discount can be given on sales invoices only$/, "Discount"],
  [/^This document cannot be edited as it has a payment or credit note .+$/, "Applied"],
  [/^Invoice not of valid status for modification.*$/, "Status"],
  [/^(?:Invoice|Credit Note) # must be unique\.$/, "Unique"],
  [/^(?:Order|Quote) number must be unique$/, "Unique"],
  [/^Please enter a unique (?:Code|Name)\.$/, "Unique"],
  [/^The contact name .+ is already assigned to another contact\. .+$/, "ContactName"],
  [/^The total debits \(\S+\) must equal total credits \(\S+\)$/, "Balanced"],
  [/^Users Organisation is not subscribed to currency [A-Z]{3}$/, "Currency"],
  [/^Account type is invalid for making a payment to\/from$/, "SystemAccount"],
  [/^Account code '.*' is not a valid code for this document\.$/, "SystemAccount"],
  [/^A Contact must be specified for this type of transaction$/, "OneContact"],
  [/^One or more line items must be specified$/, "Required"],
  [/^Account code or ID must be specified$/, "Required"],
];

/**
 * Returns the rule of a message.
 *
 * @returns undefined for an unknown message
 */
export function foreignRule(sentence: string): RuleName | undefined {
  return sentences.find(([pattern]) => pattern.test(sentence))?.[1];
}
