/**
 * A wholesaler's real sales, 20,000 lines: a sample of the public data set Online Retail (D. Chen, UCI
 * Machine Learning Repository, 2015): InvoiceNo, StockCode, Description, Quantity, InvoiceDate,
 * UnitPrice, CustomerID, Country.
 */

/** How its lines become approved invoices; what the README shows for this file. */
export const retailMapping = [
  ...["--map", "InvoiceNumber=InvoiceNo", "--map", "Date=InvoiceDate"],
  ...["--map", "Contact.ContactNumber={CustomerID:integer}"],
  ...["--map", "Contact.Name=Customer {CustomerID:integer}|Cash sales"],
  ...["--map", "ItemCode=StockCode", "--map", "UnitAmount=UnitPrice"],
  ...["--map", "Description={Description|StockCode}"],
  ...["--set", "AccountCode=200", "--status", "AUTHORISED"],
  ...["--date-format", "YYYY-MM-DD HH:mm:ss", "--create-contacts", "--create-items"],
  ...["--on-error", "skip", "--yes"],
];
