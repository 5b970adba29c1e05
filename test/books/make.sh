#!/usr/bin/env bash
# Makes a book with every kind of record that a version of acct has, by the command line of that version.
#   ACCT="node /checkout/bin/acct.js" make.sh book.acct|postgres://… BALANCE.csv
# A step that the version does not have is said on stderr, and left out. Needs nothing but bash and node.
set -u
where=$1 balance=$2
case $where in postgres:*) at=(--database "$where") ;; *) at=(--book "$where") ;; esac
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder XDG_CACHE_HOME=$folder XDG_STATE_HOME=$folder
cd "$folder" || exit 1
acct() { $ACCT --no-input --yes "$@"; }
# Runs a command on the book; the first line of its refusal is what is said of a step left out.
step() { local said; said=$(acct "$@" "${at[@]}" 2>&1 >out) || [ $? = 7 ] || { echo "left out: $* : $(head -1 <<<"$said")" >&2; return 1; }; }
# Sends a request whose body is the third argument.
api() { printf '%s' "$3" >body.json; step api "$1" "$2" --input body.json; }
# Prints the first value of a field of the last answer.
of() { node -e 'const found=new RegExp(`"${process.argv[1]}": ?"([^"]+)"`).exec(require("fs").readFileSync("out","utf8"));console.log(found?.[1]??"none")' "$1"; }

step init --name 'Heron Lane Ltd' --country NZ || exit 1
# People and apps of the server.
printf 'correct horse battery\n' >password
step user add ana@heron.example --name 'Ana Reid' --role adviser --password-stdin <password
step user add bo@heron.example --name 'Bo Ito' --role read-only --password-stdin <password
step app add Till && step app token Till
step app add Desk --kind pkce --redirect-uri http://127.0.0.1/callback
# Masters.
step organisation update --tax-number 123-456-789
step tracking create --name Region --option North --option South
step currency add EUR
step currency rate EUR 0.55 --date 2026-01-01
api PUT /Accounts '{"Code":"090","Name":"Cheque account","Type":"BANK","BankAccountNumber":"38-9000-0000000-00"}'
api PUT /Contacts '{"Contacts":[
 {"Name":"Cuba Street Gifts","ContactNumber":"C1","EmailAddress":"cuba@gifts.example","BankAccountDetails":"38-9000-0123456-00","TaxNumber":"111-222-333","Addresses":[{"AddressType":"POBOX","AddressLine1":"1 Cuba Street","City":"Wellington","PostalCode":"6011"}],"Phones":[{"PhoneType":"MOBILE","PhoneNumber":"555 0142"}],"ContactPersons":[{"FirstName":"Mia","LastName":"Fox","EmailAddress":"mia@gifts.example"}]},
 {"Name":"Clay Supplies","ContactNumber":"C2","IsSupplier":true,"BankAccountDetails":"38-9000-7654321-00","BatchPayments":{"BankAccountNumber":"38-9000-7654321-00","BankAccountName":"Clay","Details":"HERON"},"PaymentTerms":{"Bills":{"Day":20,"Type":"OFFOLLOWINGMONTH"}}},
 {"Name":"Köln Keramik GmbH","ContactNumber":"C3","DefaultCurrency":"EUR"},
 {"Name":"Landlord","ContactNumber":"C4"}]}'
step contact-group create --name Gifts && step contact-group add Gifts C1
api PUT /Accounts '{"Code":"095","Name":"Euro account","Type":"BANK","BankAccountNumber":"DE02120300000000202051","CurrencyCode":"EUR"}'
api PUT /Accounts '{"Code":"091","Name":"Savings","Type":"BANK","BankAccountNumber":"38-9000-0000001-00"}'
api PUT /TaxRates '{"Name":"City levy","ReportTaxType":"OUTPUT","TaxComponents":[{"Name":"GST","Rate":15},{"Name":"Levy","Rate":1,"IsCompound":true}]}'
api PUT /Items '{"Items":[{"Code":"CLASS","Name":"Wheel class","SalesDetails":{"UnitPrice":85,"AccountCode":"200"}},{"Code":"LAMP","Name":"Lamp","InventoryAssetAccountCode":"630","SalesDetails":{"UnitPrice":145,"AccountCode":"200"},"PurchaseDetails":{"UnitPrice":62,"COGSAccountCode":"310"}}]}'
step employee create --first-name Ana --last-name Reid
echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d >logo.png
step branding set --logo logo.png
api PUT /PaymentServices '{"PaymentServices":[{"PaymentServiceName":"Pay here","PaymentServiceUrl":"https://pay.example/[INVOICENUMBER]","PayNowText":"Pay"}]}'
step branding set --color '#1d4f91' --bank-details 'Kiwi Bank' --payment-advice 'Please pay' --terms '20 days'
printf 'Account,Debit,Credit\n090,5000.00,\n610,115.00,\n970,,5115.00\n' >opening.csv
printf 'Type,Number,Contact,Date,Amount\ninvoice,OPEN-1,Cuba Street Gifts,2025-12-15,115.00\n' >open.csv
step opening set opening.csv --date 2025-12-31 --documents open.csv
# Documents.
line='"LineItems":[{"Description":"Pots","Quantity":2,"UnitAmount":100,"AccountCode":"200","DiscountRate":5,"Tracking":[{"Name":"Region","Option":"North"}]}]'
cost='"LineItems":[{"Description":"Clay","Quantity":1,"UnitAmount":300,"AccountCode":"429"}]'
cuba='"Contact":{"Name":"Cuba Street Gifts"}' clay='"Contact":{"Name":"Clay Supplies"}' koeln='"Contact":{"Name":"Köln Keramik GmbH"}'
days='"Date":"2026-01-10","DueDate":"2026-01-30","Status":"AUTHORISED"'
api PUT /Invoices '{"Invoices":[{"Type":"ACCPAY","InvoiceNumber":"B-1",'"$clay,$days"',"LineItems":[{"ItemCode":"LAMP","Quantity":20,"UnitAmount":60}]},{"Type":"ACCPAY","InvoiceNumber":"B-2",'"$clay,$days,$cost"'},{"Type":"ACCPAY","InvoiceNumber":"B-3",'"$clay,$days,$cost"'},{"Type":"ACCPAY","InvoiceNumber":"B-4",'"$clay,$days"',"LineItems":[{"Description":"Kiln","Quantity":1,"UnitAmount":2400,"AccountCode":"710"}]}]}'
api PUT /Invoices '{"Invoices":[{"Type":"ACCREC",'"$cuba,$days,$line"'},{"Type":"ACCREC",'"$cuba,$days"',"LineItems":[{"ItemCode":"LAMP","Quantity":3}]},{"Type":"ACCREC",'"$cuba,$days,$line"'},{"Type":"ACCREC",'"$cuba,$days,$line"'},{"Type":"ACCREC",'"$cuba"',"Date":"2026-01-12","Status":"DRAFT",'"$line"'},{"Type":"ACCREC",'"$koeln,$days"',"CurrencyCode":"EUR","CurrencyRate":0.55,'"$line"'},{"Type":"ACCREC",'"$cuba,$days,$line"'}]}'
api POST /Invoices/INV-0007 '{"Status":"VOIDED"}'
api PUT /CreditNotes '{"CreditNotes":[{"Type":"ACCRECCREDIT",'"$cuba"',"Date":"2026-01-15","Status":"AUTHORISED","LineItems":[{"Description":"Broken","Quantity":1,"UnitAmount":50,"AccountCode":"200"}]},{"Type":"ACCPAYCREDIT","CreditNoteNumber":"SC-1",'"$clay"',"Date":"2026-01-15","Status":"AUTHORISED","LineItems":[{"Description":"Damp","Quantity":1,"UnitAmount":20,"AccountCode":"429"}]}]}'
step credit-note list -o json; credit=$(of CreditNoteID)
api PUT /CreditNotes/CN-0001/Allocations '{"Allocations":[{"Invoice":{"InvoiceNumber":"INV-0003"},"AppliedAmount":20}]}' ||
  api PUT "/CreditNotes/$credit/Allocations" '{"Amount":20,"Invoice":{"InvoiceNumber":"INV-0003"}}'
api PUT /Quotes '{'"$cuba"',"Date":"2026-01-11","ExpiryDate":"2026-02-11","Status":"SENT","Title":"Pots",'"$line"'}'
api PUT /PurchaseOrders '{"Contact":{"ContactNumber":"C2"},"Date":"2026-01-11","DeliveryDate":"2026-02-11","Status":"AUTHORISED",'"$cost"'}'
api PUT /RepeatingInvoices '{"Type":"ACCREC",'"$cuba"',"Status":"AUTHORISED","Schedule":{"Period":1,"Unit":"MONTHLY","DueDate":20,"DueDateType":"OFFOLLOWINGMONTH","StartDate":"2027-03-01","NextScheduledDate":"2027-03-01"},'"$line"'}'
# Money.
api PUT /Payments '{"Payments":[{"Invoice":{"InvoiceNumber":"INV-0001"},"Account":{"Code":"090"},"Date":"2026-01-20","Amount":218.5},{"Invoice":{"InvoiceNumber":"INV-0002"},"Account":{"Code":"090"},"Date":"2026-01-20","Amount":100,"Reference":"part"},{"Invoice":{"InvoiceNumber":"INV-0006"},"Account":{"Code":"095"},"Date":"2026-01-21","Amount":100,"CurrencyRate":0.57}]}'
api PUT /Payments '{"CreditNote":{"CreditNoteNumber":"CN-0001"},"Account":{"Code":"090"},"Date":"2026-01-22","Amount":10}'
step bill list -o json; bills=($(node -e 'for(const {InvoiceID,InvoiceNumber:n} of [].concat(JSON.parse(require("fs").readFileSync("out","utf8"))).flatMap(a=>a.Invoices??a.invoices??a))if(n==="B-2"||n==="B-3")console.log(InvoiceID)'))
api PUT /BatchPayments '{"Account":{"Code":"090"},"Date":"2026-01-23","Payments":[{"Invoice":{"InvoiceID":"'"${bills[0]:-}"'"},"Amount":345},{"Invoice":{"InvoiceID":"'"${bills[1]:-}"'"},"Amount":300}]}'
for kind in RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT SPEND-OVERPAYMENT; do
  case $kind in *OVER*) account=610; [ $kind = SPEND-OVERPAYMENT ] && account=800 ;; RECEIVE*) account=200 ;; *) account=429 ;; esac
  case $kind in RECEIVE*) who=$cuba ;; *) who=$clay ;; esac
  api PUT /BankTransactions '{"Type":"'$kind'",'"$who"',"BankAccount":{"Code":"090"},"Date":"2026-01-24","LineItems":[{"Description":"'$kind'","Quantity":1,"UnitAmount":60,"AccountCode":"'$account'"}]}'
  id=$(of PrepaymentID); [ "$id" = none ] && id=$(of OverpaymentID)
  case $kind in
  RECEIVE-PRE*) api PUT "/Prepayments/$id/Allocations" '{"Allocations":[{"Invoice":{"InvoiceNumber":"INV-0003"},"AppliedAmount":30}]}'
    api PUT /Payments '{"Prepayment":{"PrepaymentID":"'"$id"'"},"Account":{"Code":"090"},"Date":"2026-01-25","Amount":5}' ;;
  RECEIVE-OVER*) api PUT "/Overpayments/$id/Allocations" '{"Allocations":[{"Invoice":{"InvoiceNumber":"INV-0004"},"AppliedAmount":30}]}'
    api PUT /Payments '{"Overpayment":{"OverpaymentID":"'"$id"'"},"Account":{"Code":"090"},"Date":"2026-01-25","Amount":5}' ;;
  SPEND) spent=$(of BankTransactionID); spentline=$(of LineItemID) ;;
  esac
done
api PUT /BankTransfers '{"FromBankAccount":{"Code":"090"},"ToBankAccount":{"Code":"091"},"Amount":250,"Date":"2026-01-26"}'
# What people have spent: one receipt in a claim that is paid, one in a claim that awaits approval, one in none.
step expense 57.50 Taxi --by 'Ana Reid' --to 493 --date 2026-01-26 && step expense submit 'Ana Reid' --date 2026-01-27 &&
  step expense approve EC-1 && step expense pay EC-1 --account 090 --amount 20 --date 2026-01-28 &&
  step expense 11.50 Parking --by 'Ana Reid' --to 493 --date 2026-01-28 && step expense submit 'Ana Reid' --date 2026-01-29 &&
  step expense 9.20 Tea --by 'Ana Reid' --to 493 --date 2026-01-30
api PUT /LinkedTransactions '{"SourceTransactionID":"'"$spent"'","SourceLineItemID":"'"$spentline"'","Contact":{"ContactNumber":"C1"}}' ||
  { step contact show C1 -o json; api PUT /LinkedTransactions '{"SourceTransactionID":"'"$spent"'","SourceLineItemID":"'"$spentline"'","ContactID":"'"$(of ContactID)"'"}'; }
api PUT /ManualJournals '{"ManualJournals":[{"Narration":"Accrual","Date":"2026-01-31","Status":"POSTED","JournalLines":[{"LineAmount":40,"AccountCode":"429"},{"LineAmount":-40,"AccountCode":"850"}]},{"Narration":"Draft","Date":"2026-01-31","JournalLines":[{"LineAmount":4,"AccountCode":"429"},{"LineAmount":-4,"AccountCode":"850"}]}]}'
step manual-journal create --narration Rent --date 2026-02-01 --status POSTED --line account=469,debit=300 --line account=850,credit=300 --over 3
step manual-journal create --narration Wages --date 2026-01-31 --status POSTED --line account=477,debit=80 --line account=850,credit=80 --reverse-on 2026-02-01
# The bank.
printf 'Date,Amount,Payee,Description,Balance\n2026-01-27,80.00,Cuba Street Gifts,INV-0002 rest,1080.00\n2026-01-28,-12.50,Kiwi Bank,Account fee,1067.50\n2026-01-29,-469.00,Landlord,Rent,598.50\n2026-01-30,-7.00,Nobody,Unknown,591.50\n' >statement.csv
step bank import statement.csv --account 090 --to 2026-01-31 || step bank import statement.csv --account 090
step bank rule add Rent --when 'text contains rent' --to 469 --contact Landlord
step bank rule add Fees --when 'text contains fee' --to 404 --contact 'Landlord'
step bank reconcile 090 --auto
step bank lines 090 --status UNRECONCILED -o id && { read -r first rest <out; step bank match "$first" --account 429 --contact Landlord; }
# Assets, budgets, files, notes.
step asset add --name Kiln --purchase-date 2026-01-10 --cost 2400 --life 4 --asset-account 710
step asset add --name Wheel --purchase-date 2026-01-10 --cost 800 --life 4 --asset-account 710
step asset depreciate --to 2026-02-28
step asset dispose FA-0002 --date 2026-03-10 --proceeds 500 --account 260
printf 'Account,2026-01,2026-02\n200,1000,1100\n429,300,310\n' >budget.csv
step budget import budget.csv
step budget create --type TRACKING --description North --tracking Region:North
printf '%%PDF-1.4\nreceipt of clay\n%%%%EOF\n' >receipt.pdf
step attachment add receipt.pdf --on invoice:INV-0001
step attachment add receipt.pdf --on contact:C1
step history add 'Rang, will pay on Friday' --on invoice:INV-0003
step invoice update INV-0005 --reference 'PO 7' --idempotency-key kept-once
step invoice url INV-0003 --public-url https://books.example
step invoice email INV-0003
# A server would have to answer there: the receiver is never told.
step webhook add http://127.0.0.1:9/hook --allow http,private --name dev
# Returns, plans, undo, locks.
period=(--from 2026-01-01 --to 2026-01-31 --field 13=25.00 --publish)
step report gst "${period[@]}" --own-days || step report gst "${period[@]}" || step report gst "${period[@]}" --any-period
step contact create --name 'Planned Ltd' --plan new.plan && step apply new.plan
# Plans that the service keeps, one of which is decided, and what an app may do.
step contact create --name 'Waiting Ltd' --plan waiting.plan && step plan submit waiting.plan
step contact create --name 'Withdrawn Ltd' --plan away.plan && step plan submit away.plan && step plan withdraw 2
step app add Helper --kind agent && step policy set Helper --may plan --kinds bill,payment --per-document 500
step contact create --name 'Undone Ltd' && step undo
step contact create --name 'Erased Person' && step contact erase 'Erased Person'
step close 2025-12
step book set --period-lock-date 2025-12-31
[ "${#at[@]}" = 2 ] && acct book seal "${at[@]}" >/dev/null 2>&1
step book verify || exit 1
acct report trial-balance --date 2026-03-31 -o csv "${at[@]}" >"$balance"
