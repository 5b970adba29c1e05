# Completions of acct for bash, from version 3.2 on.
#
# Commands, flags and fixed values are in the table; acct is asked for what is in the book.

# >>> table: written from the commands of acct by a test, see test/cli/completion.test.ts
# An entry is a word, others that mean the same after |, and after = what it takes: DRAFT|PAID is one
# of these, contact a contact of the book, file a file; a comma before it allows several, capitals
# name a list, nothing is free text.
_acct_table() { # $1 a command: sets what may follow it
  verbs='' flags='' args=''
  case $1 in
  '')
    verbs='
      init invoice|invoices bill|bills credit-note|credit-notes quote|quotes
      purchase-order|purchase-orders|po repeating-invoice|repeating-invoices
      linked-transaction|linked-transactions payment|payments prepayment|prepayments
      overpayment|overpayments bank-transaction|bank-transactions bank-transfer|bank-transfers
      batch-payment|batch-payments contact|contacts contact-group|contact-groups employee|employees
      item|items account|accounts tax-rate|tax-rates tracking|tracking-category|tracking-categories
      currency|currencies budget|budgets organisation|organisations|organization|org
      branding|branding-theme|branding-themes user|users manual-journal|manual-journals
      journal|journals report|reports attachment|attachments history import export api auth
      profile|profiles book|books serve app|apps webhook|webhooks completion|completions doctor'
    ;;
  'init')
    flags='
      --name= --country=AU|CA|GB|NZ|SG|US|ZA|GLOBAL --currency=CURRENCY --financial-year-end='
    ;;
  'invoice')
    verbs='
      list|ls show|view|get pdf create|new update|edit copy|duplicate submit approve void delete
      email remind url open history note import'
    ;;
  'invoice list')
    flags='
      --invoice-number= --reference= --contact=contact --date=DATE --due-date=DATE
      --status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID --total= --currency-code=,CURRENCY
      --amount-due= --fully-paid-on-date=DATE --from=DATE --to=DATE --period=PERIOD --search=
      --where= --order= --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'invoice show' | 'invoice open' | 'invoice history')
    args='invoice'
    ;;
  'invoice pdf')
    flags='--output-file=file --force'
    args='invoice'
    ;;
  'invoice create')
    flags='
      --contact=contact --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --reference= --sent-to-contact
      --no-sent-to-contact --expected-payment-date=DATE --line=line --file|-f=file --interactive|-i
      --allow-duplicate --idempotency-key='
    ;;
  'invoice update')
    flags='
      --contact=contact --date=DATE --due-date=DATE
      --status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --reference= --sent-to-contact
      --no-sent-to-contact --expected-payment-date=DATE --line=line --add-line=line --file|-f=file
      --idempotency-key='
    args='invoice'
    ;;
  'invoice copy')
    flags='
      --contact=contact --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --reference= --sent-to-contact
      --no-sent-to-contact --expected-payment-date=DATE --idempotency-key='
    args='invoice'
    ;;
  'invoice submit' | 'invoice approve' | 'invoice void' | 'invoice delete')
    flags='--idempotency-key='
    args='invoice...'
    ;;
  'invoice email')
    flags='--to= --cc= --subject= --message= --idempotency-key='
    args='invoice'
    ;;
  'invoice remind')
    flags='--all --message= --idempotency-key='
    args='invoice...'
    ;;
  'invoice url')
    flags='--revoke --idempotency-key='
    args='invoice'
    ;;
  'invoice note')
    flags='--idempotency-key='
    args='invoice -'
    ;;
  'invoice import' | 'bill import' | 'import invoices' | 'import bills')
    flags='
      --map= --set= --mapping=file --save-mapping=file --date-format= --decimal=comma|point
      --delimiter= --encoding= --create-contacts --create-items --status=DRAFT|SUBMITTED|AUTHORISED
      --on-duplicate=skip|update|error --on-error=stop|skip --partial --allow-zero --recreate
      --rejected=file --idempotency-key='
    args='file'
    ;;
  'bill')
    verbs='
      list|ls show|view|get pdf create|new update|edit copy|duplicate submit approve void delete
      history note import'
    ;;
  'bill list')
    flags='
      --invoice-number= --contact=contact --date=DATE --due-date=DATE
      --status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID --total= --currency-code=,CURRENCY
      --amount-due= --fully-paid-on-date=DATE --from=DATE --to=DATE --period=PERIOD --search=
      --where= --order= --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'bill show' | 'bill history')
    args='bill'
    ;;
  'bill pdf')
    flags='--output-file=file --force'
    args='bill'
    ;;
  'bill create')
    flags='
      --contact=contact --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --planned-payment-date=DATE --line=line
      --file|-f=file --interactive|-i --allow-duplicate --idempotency-key='
    ;;
  'bill update')
    flags='
      --contact=contact --date=DATE --due-date=DATE
      --status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --planned-payment-date=DATE --line=line
      --add-line=line --file|-f=file --idempotency-key='
    args='bill'
    ;;
  'bill copy')
    flags='
      --contact=contact --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --line-amount-types=Exclusive|Inclusive|NoTax --invoice-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --url= --planned-payment-date=DATE --idempotency-key='
    args='bill'
    ;;
  'bill submit' | 'bill approve' | 'bill void' | 'bill delete')
    flags='--idempotency-key='
    args='bill...'
    ;;
  'bill note')
    flags='--idempotency-key='
    args='bill -'
    ;;
  'credit-note')
    verbs='
      list|ls show|view|get pdf create|new update|edit submit approve void delete allocate
      unallocate refund url open history note'
    ;;
  'credit-note list')
    flags='
      --type=,ACCRECCREDIT|ACCPAYCREDIT --credit-note-number= --reference= --contact=contact
      --date=DATE --status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID --total=
      --currency-code=,CURRENCY --remaining-credit= --fully-paid-on-date=DATE --from=DATE --to=DATE
      --period=PERIOD --where= --order= --any-status --modified-since=DATE --page= --limit= --all
      --count'
    ;;
  'credit-note show' | 'credit-note open' | 'credit-note history')
    args='credit-note'
    ;;
  'credit-note pdf')
    flags='--output-file=file --force'
    args='credit-note'
    ;;
  'credit-note create')
    flags='
      --type=ACCRECCREDIT|ACCPAYCREDIT --contact=contact --date=DATE
      --status=DRAFT|SUBMITTED|AUTHORISED --line-amount-types=Exclusive|Inclusive|NoTax
      --credit-note-number= --reference= --currency-code=CURRENCY --currency-rate=
      --branding-theme-id= --sent-to-contact --no-sent-to-contact --line=line --file|-f=file
      --allow-duplicate --idempotency-key='
    ;;
  'credit-note update')
    flags='
      --type=ACCRECCREDIT|ACCPAYCREDIT --contact=contact --date=DATE
      --status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID
      --line-amount-types=Exclusive|Inclusive|NoTax --credit-note-number= --reference=
      --currency-code=CURRENCY --currency-rate= --branding-theme-id= --sent-to-contact
      --no-sent-to-contact --line=line --add-line=line --file|-f=file --idempotency-key='
    args='credit-note'
    ;;
  'credit-note submit' | 'credit-note approve' | 'credit-note void' | 'credit-note delete')
    flags='--idempotency-key='
    args='credit-note...'
    ;;
  'credit-note allocate')
    flags='--invoice=invoice --amount= --date=DATE --idempotency-key='
    args='credit-note'
    ;;
  'credit-note unallocate')
    flags='--invoice=invoice --idempotency-key='
    args='credit-note'
    ;;
  'credit-note refund')
    flags='
      --account=account --amount= --date=DATE --reference= --currency-rate= --is-reconciled
      --no-is-reconciled --allow-duplicate --idempotency-key='
    args='credit-note'
    ;;
  'credit-note url')
    flags='--revoke --idempotency-key='
    args='credit-note'
    ;;
  'credit-note note')
    flags='--idempotency-key='
    args='credit-note -'
    ;;
  'quote')
    verbs='
      list|ls show|view|get pdf create|new update|edit copy|duplicate send accept decline invoice
      delete url open history note'
    ;;
  'quote list')
    flags='
      --quote-number= --contact=contact --expiry-date=DATE
      --status=,DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED --from=DATE --to=DATE --period=PERIOD
      --order= --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'quote show' | 'quote open' | 'quote history')
    args='quote'
    ;;
  'quote pdf')
    flags='--output-file=file --force'
    args='quote'
    ;;
  'quote create')
    flags='
      --contact=contact --date=DATE --expiry-date=DATE --title= --summary= --terms= --reference=
      --status=DRAFT|SENT --line-amount-types=Exclusive|Inclusive|NoTax --quote-number=
      --currency-code=CURRENCY --currency-rate= --branding-theme-id= --line=line --file|-f=file
      --allow-duplicate --idempotency-key='
    ;;
  'quote update')
    flags='
      --contact=contact --date=DATE --expiry-date=DATE --title= --summary= --terms= --reference=
      --status=DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED
      --line-amount-types=Exclusive|Inclusive|NoTax --quote-number= --currency-code=CURRENCY
      --currency-rate= --branding-theme-id= --line=line --add-line=line --file|-f=file
      --idempotency-key='
    args='quote'
    ;;
  'quote copy')
    flags='
      --contact=contact --date=DATE --expiry-date=DATE --title= --summary= --terms= --reference=
      --status=DRAFT|SENT --line-amount-types=Exclusive|Inclusive|NoTax --quote-number=
      --currency-code=CURRENCY --currency-rate= --branding-theme-id= --idempotency-key='
    args='quote'
    ;;
  'quote send' | 'quote accept' | 'quote decline' | 'quote delete')
    flags='--idempotency-key='
    args='quote...'
    ;;
  'quote invoice')
    flags='
      --invoice-number= --reference= --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --expected-payment-date=DATE --currency-rate= --branding-theme-id= --url= --line= --all-lines
      --idempotency-key='
    args='quote'
    ;;
  'quote url')
    flags='--revoke --idempotency-key='
    args='quote'
    ;;
  'quote note')
    flags='--idempotency-key='
    args='quote -'
    ;;
  'purchase-order')
    verbs='
      list|ls show|view|get pdf create|new copy|duplicate update|edit submit approve bill delete
      history note'
    ;;
  'purchase-order list')
    flags='
      --status=,DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED --from=DATE --to=DATE --period=PERIOD
      --order= --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'purchase-order show' | 'purchase-order history')
    args='purchase-order'
    ;;
  'purchase-order pdf')
    flags='--output-file=file --force'
    args='purchase-order'
    ;;
  'purchase-order create')
    flags='
      --contact=contact --date=DATE --delivery-date=DATE --expected-arrival-date=DATE --reference=
      --status=DRAFT|SUBMITTED|AUTHORISED --line-amount-types=Exclusive|Inclusive|NoTax
      --purchase-order-number= --currency-code=CURRENCY --currency-rate= --branding-theme-id=
      --sent-to-contact --no-sent-to-contact --delivery-address= --attention-to= --telephone=
      --delivery-instructions= --line=line --file|-f=file --allow-duplicate --idempotency-key='
    ;;
  'purchase-order copy')
    flags='
      --contact=contact --date=DATE --delivery-date=DATE --expected-arrival-date=DATE --reference=
      --status=DRAFT|SUBMITTED|AUTHORISED --line-amount-types=Exclusive|Inclusive|NoTax
      --purchase-order-number= --currency-code=CURRENCY --currency-rate= --branding-theme-id=
      --sent-to-contact --no-sent-to-contact --delivery-address= --attention-to= --telephone=
      --delivery-instructions= --idempotency-key='
    args='purchase-order'
    ;;
  'purchase-order update')
    flags='
      --contact=contact --date=DATE --delivery-date=DATE --expected-arrival-date=DATE --reference=
      --status=DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED
      --line-amount-types=Exclusive|Inclusive|NoTax --purchase-order-number=
      --currency-code=CURRENCY --currency-rate= --branding-theme-id= --sent-to-contact
      --no-sent-to-contact --delivery-address= --attention-to= --telephone= --delivery-instructions=
      --line=line --add-line=line --file|-f=file --idempotency-key='
    args='purchase-order'
    ;;
  'purchase-order submit' | 'purchase-order approve' | 'purchase-order delete')
    flags='--idempotency-key='
    args='purchase-order...'
    ;;
  'purchase-order bill')
    flags='
      --invoice-number= --date=DATE --due-date=DATE --status=DRAFT|SUBMITTED|AUTHORISED
      --planned-payment-date=DATE --currency-rate= --branding-theme-id= --url= --line= --all-lines
      --idempotency-key='
    args='purchase-order'
    ;;
  'purchase-order note')
    flags='--idempotency-key='
    args='purchase-order -'
    ;;
  'repeating-invoice')
    verbs='list|ls show|view|get create|new update|edit delete run history note'
    ;;
  'repeating-invoice list')
    flags='
      --contact=contact --reference= --status=,DRAFT|AUTHORISED|DELETED --total=
      --currency-code=,CURRENCY --where= --order= --any-status --limit= --all --count'
    ;;
  'repeating-invoice show' | 'repeating-invoice history')
    args='repeating-invoice'
    ;;
  'repeating-invoice create')
    flags='
      --contact=contact --reference= --status=DRAFT|AUTHORISED
      --line-amount-types=Exclusive|Inclusive|NoTax --currency-code=CURRENCY --branding-theme-id=
      --approved-for-sending --no-approved-for-sending --send-copy --no-send-copy --mark-as-sent
      --no-mark-as-sent --include-pdf --no-include-pdf --line=line --file|-f=file --every=
      --unit=WEEKLY|MONTHLY --start-date=DATE --end-date=DATE --due-date=
      --due-date-type=DUE_DATE_TYPE --idempotency-key='
    ;;
  'repeating-invoice update')
    flags='
      --contact=contact --reference= --status=DRAFT|AUTHORISED|DELETED
      --line-amount-types=Exclusive|Inclusive|NoTax --currency-code=CURRENCY --branding-theme-id=
      --approved-for-sending --no-approved-for-sending --send-copy --no-send-copy --mark-as-sent
      --no-mark-as-sent --include-pdf --no-include-pdf --line=line --add-line=line --file|-f=file
      --every= --unit=WEEKLY|MONTHLY --start-date=DATE --end-date=DATE --due-date=
      --due-date-type=DUE_DATE_TYPE --idempotency-key='
    args='repeating-invoice'
    ;;
  'repeating-invoice delete')
    flags='--idempotency-key='
    args='repeating-invoice...'
    ;;
  'repeating-invoice run')
    flags='--idempotency-key='
    ;;
  'repeating-invoice note')
    flags='--idempotency-key='
    args='repeating-invoice -'
    ;;
  'linked-transaction')
    verbs='list|ls show|view|get create|new delete'
    ;;
  'linked-transaction list')
    flags='
      --source-transaction-id= --contact-id= --target-transaction-id=
      --status=,DRAFT|APPROVED|ONDRAFT|BILLED|VOIDED --any-status --page= --limit= --all --count'
    ;;
  'linked-transaction show')
    args='linked-transaction'
    ;;
  'linked-transaction create')
    flags='
      --bill=bill --bill-line= --contact=contact --invoice=invoice --invoice-line=
      --source-transaction-id= --source-line-item-id= --idempotency-key='
    ;;
  'linked-transaction delete')
    flags='--idempotency-key='
    args='linked-transaction'
    ;;
  'payment')
    verbs='list|ls show|view|get apply reverse|delete import'
    ;;
  'payment list')
    flags='
      --invoice=invoice --credit-note= --prepayment=prepayment --overpayment=overpayment
      --account=account --date=DATE --amount= --reference= --status=,AUTHORISED|DELETED
      --payment-type=,PAYMENT_TYPE --from=DATE --to=DATE --period=PERIOD --where= --order=
      --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'payment show')
    args='payment'
    ;;
  'payment apply')
    flags='
      --account=account --amount= --date=DATE --reference= --currency-rate= --is-reconciled
      --no-is-reconciled --allow-duplicate --idempotency-key='
    args='invoice'
    ;;
  'payment reverse')
    flags='--idempotency-key='
    args='payment'
    ;;
  'payment import' | 'import payments')
    flags='
      --map= --set= --mapping=file --save-mapping=file --date-format= --decimal=comma|point
      --delimiter= --encoding= --on-duplicate=skip|error --on-error=stop|skip --recreate
      --rejected=file --idempotency-key='
    args='file'
    ;;
  'prepayment')
    verbs='list|ls show|view|get allocate unallocate refund void history note'
    ;;
  'prepayment list')
    flags='
      --type=,RECEIVE-PREPAYMENT|SPEND-PREPAYMENT --reference= --contact=contact --date=DATE
      --status=,AUTHORISED|PAID|VOIDED --total= --currency-code=,CURRENCY --remaining-credit=
      --fully-paid-on-date=DATE --from=DATE --to=DATE --period=PERIOD --where= --order= --any-status
      --modified-since=DATE --page= --limit= --all --count'
    ;;
  'prepayment show' | 'prepayment history')
    args='prepayment'
    ;;
  'prepayment allocate')
    flags='--invoice=invoice --amount= --date=DATE --idempotency-key='
    args='prepayment'
    ;;
  'prepayment unallocate')
    flags='--invoice=invoice --idempotency-key='
    args='prepayment'
    ;;
  'prepayment refund')
    flags='
      --account=account --amount= --date=DATE --reference= --currency-rate= --is-reconciled
      --no-is-reconciled --allow-duplicate --idempotency-key='
    args='prepayment'
    ;;
  'prepayment void')
    flags='--idempotency-key='
    args='prepayment...'
    ;;
  'prepayment note')
    flags='--idempotency-key='
    args='prepayment -'
    ;;
  'overpayment')
    verbs='list|ls show|view|get allocate unallocate refund void history note'
    ;;
  'overpayment list')
    flags='
      --type=,RECEIVE-OVERPAYMENT|SPEND-OVERPAYMENT --reference= --contact=contact --date=DATE
      --status=,AUTHORISED|PAID|VOIDED --total= --currency-code=,CURRENCY --remaining-credit=
      --fully-paid-on-date=DATE --from=DATE --to=DATE --period=PERIOD --where= --order= --any-status
      --modified-since=DATE --page= --limit= --all --count'
    ;;
  'overpayment show' | 'overpayment history')
    args='overpayment'
    ;;
  'overpayment allocate')
    flags='--invoice=invoice --amount= --date=DATE --idempotency-key='
    args='overpayment'
    ;;
  'overpayment unallocate')
    flags='--invoice=invoice --idempotency-key='
    args='overpayment'
    ;;
  'overpayment refund')
    flags='
      --account=account --amount= --date=DATE --reference= --currency-rate= --is-reconciled
      --no-is-reconciled --allow-duplicate --idempotency-key='
    args='overpayment'
    ;;
  'overpayment void')
    flags='--idempotency-key='
    args='overpayment...'
    ;;
  'overpayment note')
    flags='--idempotency-key='
    args='overpayment -'
    ;;
  'bank-transaction')
    verbs='list|ls show|view|get create|new update|edit void history note'
    ;;
  'bank-transaction list')
    flags='
      --type=,TYPE --bank-account=account --contact=contact --date=DATE --reference=
      --status=,AUTHORISED|DELETED|VOIDED --total= --currency-code=,CURRENCY --is-reconciled
      --no-is-reconciled --from=DATE --to=DATE --period=PERIOD --where= --order= --any-status
      --modified-since=DATE --page= --limit= --all --count'
    ;;
  'bank-transaction show' | 'bank-transaction history')
    args='bank-transaction'
    ;;
  'bank-transaction create')
    flags='
      --type=TYPE_2 --bank-account=account --contact=contact --date=DATE --reference=
      --invoice-number= --line-amount-types=Exclusive|Inclusive|NoTax --currency-rate=
      --is-reconciled --no-is-reconciled --url= --line=line --file|-f=file --allow-duplicate
      --idempotency-key='
    ;;
  'bank-transaction update')
    flags='
      --bank-account=account --contact=contact --date=DATE --reference= --invoice-number=
      --line-amount-types=Exclusive|Inclusive|NoTax --currency-rate= --is-reconciled
      --no-is-reconciled --url= --line=line --add-line=line --file|-f=file --idempotency-key='
    args='bank-transaction'
    ;;
  'bank-transaction void')
    flags='--idempotency-key='
    args='bank-transaction...'
    ;;
  'bank-transaction note')
    flags='--idempotency-key='
    args='bank-transaction -'
    ;;
  'bank-transfer')
    verbs='list|ls show|view|get create|new void history note'
    ;;
  'bank-transfer list')
    flags='
      --from-bank-account=account --to-bank-account=account --amount= --date=DATE --reference=
      --status=,AUTHORISED|DELETED --from=DATE --to=DATE --period=PERIOD --where= --order=
      --any-status --modified-since=DATE --limit= --all --count'
    ;;
  'bank-transfer show' | 'bank-transfer history')
    args='bank-transfer'
    ;;
  'bank-transfer create')
    flags='
      --from=account --to=account --amount= --date=DATE --reference= --from-is-reconciled
      --no-from-is-reconciled --to-is-reconciled --no-to-is-reconciled --file|-f=file
      --allow-duplicate --idempotency-key='
    ;;
  'bank-transfer void')
    flags='--idempotency-key='
    args='bank-transfer...'
    ;;
  'bank-transfer note')
    flags='--idempotency-key='
    args='bank-transfer -'
    ;;
  'batch-payment')
    verbs='list|ls show|view|get create|new reverse|delete history'
    ;;
  'batch-payment list')
    flags='
      --account=account --date=DATE --reference= --type=,PAYBATCH|RECBATCH
      --status=,AUTHORISED|DELETED --total-amount= --from=DATE --to=DATE --period=PERIOD --where=
      --order= --any-status --modified-since=DATE --limit= --all --count'
    ;;
  'batch-payment show' | 'batch-payment history')
    args='batch-payment'
    ;;
  'batch-payment create')
    flags='
      --account=account --date=DATE --reference= --particulars= --code= --details= --narrative=
      --pay= --file|-f=file --allow-duplicate --idempotency-key='
    ;;
  'batch-payment reverse')
    flags='--idempotency-key='
    args='batch-payment'
    ;;
  'contact')
    verbs='
      list|ls show|view|get create|new update|edit archive restore|unarchive cis history note import'
    ;;
  'contact list')
    flags='
      --contact-number= --status=,ACTIVE|ARCHIVED|GDPRREQUEST --name= --email-address= --search=
      --where= --order= --modified-since=DATE --page= --limit= --all --count'
    ;;
  'contact show' | 'contact history')
    args='contact'
    ;;
  'contact create')
    flags='
      --name= --contact-number= --account-number= --email-address= --first-name= --last-name=
      --company-number= --tax-number= --tax-number-type=SSN|EIN|ITIN|ATIN --bank-account-details=
      --default-currency=CURRENCY --accounts-receivable-tax-type=tax-rate
      --accounts-payable-tax-type=tax-rate --sales-default-account-code=account
      --purchases-default-account-code=account --phone= --mobile= --address= --postal-address=
      --person= --sales-terms= --bill-terms= --file|-f=file --idempotency-key='
    ;;
  'contact update')
    flags='
      --name= --contact-number= --account-number= --email-address= --first-name= --last-name=
      --company-number= --tax-number= --tax-number-type=SSN|EIN|ITIN|ATIN --bank-account-details=
      --default-currency=CURRENCY --accounts-receivable-tax-type=tax-rate
      --accounts-payable-tax-type=tax-rate --sales-default-account-code=account
      --purchases-default-account-code=account --phone= --mobile= --address= --postal-address=
      --person= --sales-terms= --bill-terms= --file|-f=file --idempotency-key='
    args='contact'
    ;;
  'contact archive' | 'contact restore')
    flags='--idempotency-key='
    args='contact...'
    ;;
  'contact cis')
    flags='--enabled --no-enabled --rate= --idempotency-key='
    args='contact'
    ;;
  'contact note')
    flags='--idempotency-key='
    args='contact -'
    ;;
  'contact import' | 'item import' | 'import contacts' | 'import items')
    flags='
      --map= --set= --mapping=file --save-mapping=file --date-format= --decimal=comma|point
      --delimiter= --encoding= --on-duplicate=skip|update|error --on-error=stop|skip --rejected=file
      --idempotency-key='
    args='file'
    ;;
  'contact-group')
    verbs='list|ls show|view|get create|new update|edit delete add remove'
    ;;
  'contact-group list')
    flags='
      --name= --status=,ACTIVE|DELETED --where= --order= --any-status --limit= --all --count'
    ;;
  'contact-group show')
    args='contact-group'
    ;;
  'contact-group create')
    flags='--name= --idempotency-key='
    ;;
  'contact-group update')
    flags='--name= --idempotency-key='
    args='contact-group'
    ;;
  'contact-group delete')
    flags='--idempotency-key='
    args='contact-group'
    ;;
  'contact-group add' | 'contact-group remove')
    flags='--idempotency-key='
    args='contact-group contact...'
    ;;
  'employee')
    verbs='list|ls show|view|get create|new update|edit'
    ;;
  'employee list')
    flags='
      --status=,ACTIVE|ARCHIVED|GDPRREQUEST|DELETED --first-name= --last-name= --where= --order=
      --any-status --modified-since=DATE --page= --limit= --all --count'
    ;;
  'employee show')
    args='employee'
    ;;
  'employee create')
    flags='--first-name= --last-name= --url= --idempotency-key='
    ;;
  'employee update')
    flags='
      --first-name= --last-name= --status=ACTIVE|ARCHIVED|GDPRREQUEST|DELETED --url=
      --idempotency-key='
    args='employee'
    ;;
  'item')
    verbs='list|ls show|view|get create|new update|edit delete history note import'
    ;;
  'item list')
    flags='
      --code= --name= --is-sold --no-is-sold --is-purchased --no-is-purchased --where= --order=
      --modified-since=DATE --limit= --all --count'
    ;;
  'item show' | 'item history')
    args='item'
    ;;
  'item create')
    flags='
      --code= --name= --description= --purchase-description= --is-sold --no-is-sold --is-purchased
      --no-is-purchased --inventory-asset-account-code=account --unit-price= --sales-account=
      --sales-tax= --purchase-price= --purchase-account= --purchase-tax= --cogs-account=
      --file|-f=file --idempotency-key='
    ;;
  'item update')
    flags='
      --code= --name= --description= --purchase-description= --is-sold --no-is-sold --is-purchased
      --no-is-purchased --inventory-asset-account-code=account --unit-price= --sales-account=
      --sales-tax= --purchase-price= --purchase-account= --purchase-tax= --cogs-account=
      --file|-f=file --idempotency-key='
    args='item'
    ;;
  'item delete')
    flags='--idempotency-key='
    args='item'
    ;;
  'item note')
    flags='--idempotency-key='
    args='item -'
    ;;
  'account')
    verbs='list|ls show|view|get create|new update|edit archive restore|unarchive delete'
    ;;
  'account list')
    flags='
      --code= --name= --status=,ACTIVE|ARCHIVED|DELETED --type=,TYPE_3
      --class=,ASSET|LIABILITY|EQUITY|REVENUE|EXPENSE --where= --order= --any-status
      --modified-since=DATE --limit= --all --count'
    ;;
  'account show')
    args='account'
    ;;
  'account create')
    flags='
      --code= --name= --type=TYPE_3 --tax-type=tax-rate --description= --bank-account-number=
      --bank-account-type=BANK|CREDITCARD|PAYPAL|NONE --currency-code=CURRENCY
      --enable-payments-to-account --no-enable-payments-to-account --show-in-expense-claims
      --no-show-in-expense-claims --add-to-watchlist --no-add-to-watchlist --file|-f=file
      --idempotency-key='
    ;;
  'account update')
    flags='
      --code= --name= --type=TYPE_3 --tax-type=tax-rate --description= --bank-account-number=
      --bank-account-type=BANK|CREDITCARD|PAYPAL|NONE --currency-code=CURRENCY
      --enable-payments-to-account --no-enable-payments-to-account --show-in-expense-claims
      --no-show-in-expense-claims --add-to-watchlist --no-add-to-watchlist --status=ACTIVE|ARCHIVED
      --file|-f=file --idempotency-key='
    args='account'
    ;;
  'account archive' | 'account restore')
    flags='--idempotency-key='
    args='account...'
    ;;
  'account delete')
    flags='--idempotency-key='
    args='account'
    ;;
  'tax-rate')
    verbs='list|ls show|view|get create|new update|edit delete'
    ;;
  'tax-rate list')
    flags='
      --name= --tax-type=,tax-rate --status=,ACTIVE|DELETED|ARCHIVED|PENDING --where= --order=
      --any-status --limit= --all --count'
    ;;
  'tax-rate show')
    args='tax-rate'
    ;;
  'tax-rate create')
    flags='
      --name= --report-tax-type=REPORT_TAX_TYPE --component= --file|-f=file --idempotency-key='
    ;;
  'tax-rate update')
    flags='--name= --report-tax-type=REPORT_TAX_TYPE --component= --idempotency-key='
    args='tax-rate'
    ;;
  'tax-rate delete')
    flags='--idempotency-key='
    args='tax-rate'
    ;;
  'tracking')
    verbs='list|ls show|view|get create|new update|edit delete option|options'
    ;;
  'tracking list')
    flags='
      --name= --status=,ACTIVE|ARCHIVED|DELETED --where= --order= --any-status --limit= --all
      --count'
    ;;
  'tracking show')
    args='tracking'
    ;;
  'tracking create')
    flags='--name= --option= --idempotency-key='
    ;;
  'tracking update')
    flags='--name= --status=ACTIVE|ARCHIVED --idempotency-key='
    args='tracking'
    ;;
  'tracking delete')
    flags='--idempotency-key='
    args='tracking'
    ;;
  'tracking option')
    verbs='add remove|delete'
    ;;
  'tracking option add' | 'tracking option remove')
    flags='--idempotency-key='
    args='tracking -'
    ;;
  'currency')
    verbs='list|ls show|view|get add|create|new rate rates'
    ;;
  'currency list')
    flags='--code=,CURRENCY --description= --where= --order= --limit= --all --count'
    ;;
  'currency show')
    args='currency'
    ;;
  'currency add')
    flags='--idempotency-key='
    args='-'
    ;;
  'currency rate')
    flags='--date=DATE --idempotency-key='
    args='currency -'
    ;;
  'currency rates')
    flags='--idempotency-key='
    args='file'
    ;;
  'budget')
    verbs='list|ls show|view|get create|new import'
    ;;
  'budget list')
    flags='--limit= --all --count'
    ;;
  'budget show')
    flags='--from=DATE --to=DATE'
    args='-'
    ;;
  'budget create')
    flags='
      --description= --type=OVERALL|TRACKING --tracking=tracking --file|-f=file --idempotency-key='
    ;;
  'budget import')
    flags='--to= --description= --idempotency-key='
    args='file'
    ;;
  'organisation')
    verbs='show|view|get|list update|edit history actions cis'
    ;;
  'organisation update')
    flags='
      --name= --legal-name= --organisation-type=ORGANISATION_TYPE --line-of-business= --tax-number=
      --registration-number= --employer-identification-number= --pays-tax --no-pays-tax
      --sales-tax-basis=PAYMENTS|INVOICE|CASH|ACCRUAL|ACCRUALS|FLATRATECASH|FLATRATEACCRUAL|NONE
      --sales-tax-period=SALES_TAX_PERIOD --timezone=
      --default-sales-tax=exclusive|inclusive|none|previous
      --default-purchases-tax=exclusive|inclusive|none|previous --financial-year-end=
      --period-lock-date= --end-of-year-lock-date= --address= --postal-address= --phone= --mobile=
      --website= --sales-terms= --bill-terms= --idempotency-key='
    ;;
  'organisation cis')
    flags='--contractor --no-contractor --subcontractor --no-subcontractor --rate='
    ;;
  'branding')
    verbs='list|ls show|view|get set|update'
    ;;
  'branding show' | 'user remove' | 'report show' | 'profile add' | 'app remove' | 'app secret' | 'app token' | 'webhook show' | 'webhook key' | 'webhook remove' | 'webhook disable' | 'webhook resend')
    args='-'
    ;;
  'branding set')
    flags='
      --theme= --logo=file --color= --bank-details= --payment-advice= --terms= --idempotency-key='
    ;;
  'user')
    verbs='list|ls show|view|get add role password remove|delete'
    ;;
  'user list')
    flags='
      --email-address= --first-name= --last-name= --organisation-role=,ORGANISATION_ROLE --where=
      --order= --modified-since=DATE --limit= --all --count'
    ;;
  'user show')
    args='user'
    ;;
  'user add')
    flags='
      --role=adviser|standard|standard-without-reports|invoice-only|read-only --name=
      --password-stdin'
    args='-'
    ;;
  'user role')
    args='- adviser|standard|standard-without-reports|invoice-only|read-only'
    ;;
  'user password')
    flags='--password-stdin'
    args='-'
    ;;
  'manual-journal')
    verbs='list|ls show|view|get create|new post void delete history note'
    ;;
  'manual-journal list')
    flags='
      --narration= --date=DATE --status=,DRAFT|POSTED|DELETED|VOIDED|ARCHIVED --from=DATE --to=DATE
      --period=PERIOD --where= --order= --any-status --modified-since=DATE --page= --limit= --all
      --count'
    ;;
  'manual-journal show' | 'manual-journal history')
    args='manual-journal'
    ;;
  'manual-journal create')
    flags='
      --narration= --date=DATE --status=DRAFT|POSTED --line-amount-types=Exclusive|Inclusive|NoTax
      --show-on-cash-basis-reports --no-show-on-cash-basis-reports --url= --line=line --file|-f=file
      --allow-duplicate --idempotency-key='
    ;;
  'manual-journal post' | 'manual-journal void' | 'manual-journal delete')
    flags='--idempotency-key='
    args='manual-journal'
    ;;
  'manual-journal note')
    flags='--idempotency-key='
    args='manual-journal -'
    ;;
  'journal')
    verbs='list|ls show|view|get'
    ;;
  'journal list')
    flags='
      --from=DATE --to=DATE --period=PERIOD --offset= --payments-only --modified-since= --limit=
      --all'
    ;;
  'journal show')
    flags='--payments-only'
    args='-'
    ;;
  'report')
    verbs='
      pl|profit-and-loss|p-and-l|income-statement balance-sheet|bs trial-balance|tb aged-receivables
      aged-payables bank-summary|bank budget-summary|budget executive-summary|summary 1099
      1099-boxes bas gst list|ls show'
    ;;
  'report pl')
    flags='
      --from=DATE --to=DATE --period=PERIOD --periods= --timeframe=MONTH|QUARTER|YEAR
      --tracking-category=tracking --tracking-option= --standard-layout --payments-only'
    ;;
  'report balance-sheet')
    flags='
      --date=DATE --period=PERIOD --periods= --timeframe=MONTH|QUARTER|YEAR --tracking-option=
      --standard-layout --payments-only'
    ;;
  'report trial-balance')
    flags='--date=DATE --period=PERIOD --payments-only'
    ;;
  'report aged-receivables' | 'report aged-payables')
    flags='--date=DATE --from=DATE --to=DATE --period=PERIOD'
    args='contact'
    ;;
  'report bank-summary')
    flags='--from=DATE --to=DATE --period=PERIOD'
    ;;
  'report budget-summary')
    flags='--date=DATE --periods= --timeframe=MONTH|QUARTER|YEAR'
    ;;
  'report executive-summary')
    flags='--date=DATE --period=PERIOD'
    ;;
  'report 1099')
    flags='--year='
    ;;
  'report 1099-boxes')
    flags='--map= --unmap=account --idempotency-key='
    ;;
  'report bas')
    flags='
      --from=DATE --to=DATE --period=PERIOD --field= --publish --simpler --idempotency-key='
    ;;
  'report gst')
    flags='--from=DATE --to=DATE --period=PERIOD --field= --publish --idempotency-key='
    ;;
  'attachment')
    verbs='list|ls add get remove'
    ;;
  'attachment list' | 'history list')
    flags='--on=record'
    ;;
  'attachment add')
    flags='--on=record --name= --mime-type= --include-online --idempotency-key='
    args='file...'
    ;;
  'attachment get')
    flags='--on=record --output-file=file --force'
    args='-...'
    ;;
  'attachment remove')
    flags='--on=record --idempotency-key='
    args='-...'
    ;;
  'history')
    verbs='list|ls add|note'
    ;;
  'history add')
    flags='--on=record --idempotency-key='
    args='-'
    ;;
  'import')
    verbs='invoices bills contacts items payments'
    ;;
  'export')
    verbs='
      journal|journals|ledger invoices bills contacts items payments credit-notes quotes
      purchase-orders accounts tax-rates tracking'
    ;;
  'export journal')
    flags='
      --format=hledger|beancount|csv --from=DATE --to=DATE --period=PERIOD --basis=accrual|cash
      --output-file=file'
    ;;
  'export invoices' | 'export bills' | 'export contacts' | 'export items' | 'export payments' | 'export credit-notes' | 'export quotes' | 'export purchase-orders' | 'export accounts' | 'export tax-rates' | 'export tracking')
    flags='--format=csv|json --output-file=file'
    ;;
  'api')
    flags='--query|-q= --header|-H= --input=file --paginate --include|-i --idempotency-key='
    args='GET|POST|PUT|DELETE|HEAD -'
    ;;
  'auth')
    verbs='login logout status token refresh'
    ;;
  'auth login')
    flags='
      --preset=PRESET --client-id= --client-credentials --client-secret-stdin --scope=
      --organisation= --no-browser --redirect-uri= --timeout= --keychain'
    ;;
  'profile')
    verbs='list|ls add use show remove|delete'
    ;;
  'profile use' | 'profile show' | 'profile remove')
    args='profile'
    ;;
  'book')
    verbs='info|show verify set backup restore copy'
    ;;
  'book set')
    flags='
      --period-lock-date= --end-of-year-lock-date= --legal-name= --tax-number=
      --registration-number='
    ;;
  'book backup')
    flags='--force'
    args='-'
    ;;
  'book restore')
    flags='--force'
    args='file'
    ;;
  'book copy')
    args='- -'
    ;;
  'serve')
    flags='
      --port= --host= --no-rate-limit --rate-limit= --rate-limit-status=503|429 --pkce-optional
      --webhook-allow= --log=json|text|off --metrics-port= --metrics-host= --drain= --processes=
      --chaos='
    ;;
  'app')
    verbs='add list|ls remove|delete secret token'
    ;;
  'app add')
    flags='--kind=web|pkce|machine --redirect-uri='
    args='-'
    ;;
  'webhook')
    verbs='
      add list|ls show key remove|delete enable disable validate deliveries resend trigger listen'
    ;;
  'webhook add')
    flags='--events= --name= --app= --allow='
    args='-'
    ;;
  'webhook enable' | 'webhook validate')
    flags='--allow='
    args='-'
    ;;
  'webhook deliveries')
    flags='--status=waiting|delivered --limit='
    args='-'
    ;;
  'webhook trigger')
    flags='--type=create|update --webhook='
    args='invoice|contact|credit-note|payment -'
    ;;
  'webhook listen')
    flags='--forward-to= --events= --signing-key='
    ;;
  'completion')
    verbs='bash zsh fish powershell install'
    ;;
  'completion install')
    args='bash|zsh|fish|powershell'
    ;;
  'doctor')
    flags='--verify'
    ;;
  esac
}

_acct_list() { # $1 the name of a list: prints its values
  case $1 in
  CURRENCY) echo '
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
    BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EEK EGP ERN ETB EUR FJD
    FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES
    KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRO
    MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
    RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SKK SLE SLL SOS SRD STD STN SVC SYP SZL THB TJS TMT TND
    TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VEF VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMK ZMW ZWD' ;;
  DATE) echo 'today yesterday tomorrow' ;;
  PERIOD) echo 'this-month last-month this-quarter last-quarter this-year last-year this-fy last-fy' ;;
  DUE_DATE_TYPE) echo '
    DAYSAFTERBILLDATE DAYSAFTERBILLMONTH DAYSAFTERINVOICEDATE DAYSAFTERINVOICEMONTH OFCURRENTMONTH
    OFFOLLOWINGMONTH' ;;
  PAYMENT_TYPE) echo '
    ACCRECPAYMENT ACCPAYPAYMENT ARCREDITPAYMENT APCREDITPAYMENT ARPREPAYMENTPAYMENT
    APPREPAYMENTPAYMENT AROVERPAYMENTPAYMENT APOVERPAYMENTPAYMENT' ;;
  TYPE) echo '
    RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT SPEND-OVERPAYMENT
    RECEIVE-TRANSFER SPEND-TRANSFER' ;;
  TYPE_2) echo '
    RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT SPEND-OVERPAYMENT' ;;
  TYPE_3) echo '
    BANK CURRENT CURRLIAB DEPRECIATN DIRECTCOSTS EQUITY EXPENSE FIXED INVENTORY LIABILITY NONCURRENT
    OTHERINCOME OVERHEADS PREPAYMENT REVENUE SALES TERMLIAB PAYG' ;;
  REPORT_TAX_TYPE) echo '
    AVALARA BASEXCLUDED CAPITALSALESOUTPUT CAPITALEXPENSESINPUT ECOUTPUT ECOUTPUTSERVICES ECINPUT
    ECACQUISITIONS EXEMPTEXPENSES EXEMPTINPUT EXEMPTOUTPUT GSTONIMPORTS INPUT INPUTTAXED MOSSSALES
    NONE NONEOUTPUT OUTPUT PURCHASESINPUT SALESOUTPUT EXEMPTCAPITAL EXEMPTEXPORT CAPITALEXINPUT
    GSTONCAPIMPORTS GSTONCAPITALIMPORTS REVERSECHARGES PAYMENTS INVOICE CASH ACCRUAL FLATRATECASH
    FLATRATEACCRUAL ACCRUALS TXCA SRCAS DSOUTPUT BLINPUT2 EPINPUT IMINPUT2 MEINPUT IGDSINPUT2
    ESN33OUTPUT OPINPUT OSOUTPUT TXN33INPUT TXESSINPUT TXREINPUT TXPETINPUT NRINPUT ES33OUTPUT
    ZERORATEDINPUT ZERORATEDOUTPUT DRCHARGESUPPLY DRCHARGE CAPINPUT CAPIMPORTS IMINPUT INPUT2
    CIUINPUT SRINPUT OUTPUT2 SROUTPUT CAPOUTPUT SROUTPUT2 CIUOUTPUT ZROUTPUT ZREXPORT ACC28PLUS
    ACCUPTO28 OTHEROUTPUT SHOUTPUT ZRINPUT BADDEBT OTHERINPUT BADDEBTRELIEF IGDSINPUT3 SROVR
    TOURISTREFUND TXRCN33 TXRCRE TXRCESS TXRCTS CAPEXINPUT UNDEFINED CAPEXOUTPUT ZEROEXPOUTPUT
    GOODSIMPORT NONEINPUT NOTREPORTED SROVRRS SROVRLVG SRLVG IM IMESS IMN33 IMRE BADDEBTRECOVERY
    USSALESTAX BLINPUT3' ;;
  ORGANISATION_TYPE) echo '
    ACCOUNTING_PRACTICE COMPANY CHARITY CLUB_OR_SOCIETY INDIVIDUAL LOOK_THROUGH_COMPANY
    NOT_FOR_PROFIT PARTNERSHIP S_CORPORATION SELF_MANAGED_SUPERANNUATION_FUND SOLE_TRADER
    SUPERANNUATION_FUND TRUST PERSONAL SINGLEMEMBERLLC CCORPORATIONLLC PARTNERSHIPLLC
    SCORPORATIONLLC LLC NOTLLC UNSPECIFIED' ;;
  SALES_TAX_PERIOD) echo '
    MONTHLY QUARTERLY QUARTERLY1 QUARTERLY2 QUARTERLY3 YEARLY ANNUALLY ONEMONTHS TWOMONTHS SIXMONTHS
    1MONTHLY 2MONTHLY 3MONTHLY 6MONTHLY NONE' ;;
  ORGANISATION_ROLE) echo '
    READONLY INVOICEONLY STANDARD FINANCIALADVISER MANAGEDCLIENT CASHBOOKCLIENT UNKNOWN REMOVED' ;;
  PRESET) echo 'cloud' ;;
  esac
}

_acct_globals='
  --book=file --database= --data=file --profile=profile --base-url= --tenant= --demo
  --output|-o=table|json|xml|csv|id --columns= --dry-run --public-url= --yes --no-input --max-wait=
  --verbose --no-color --help|-h'
# <<< table

_acct() {
  local IFS=$' \t\n' acct=${1/#\~/$HOME} words=() n=-1 i part rest=${COMP_LINE:0:COMP_POINT}
  # Bash splits words at = and : too; here they are whole again, up to the cursor.
  for part in "${COMP_WORDS[@]:0:COMP_CWORD + 1}"; do
    if ((n < 0)) || [[ $rest == [[:space:]]* ]]; then
      rest=${rest#"${rest%%[![:space:]]*}"}
      words[++n]=''
    fi
    [[ $rest == "$part"* ]] || part=$rest
    words[n]+=$part
    rest=${rest#"$part"}
  done

  local at='' verbs flags args verb takes='' expects='' count=0 word
  _acct_table ''
  for ((i = 1; i < n; i++)); do
    word=${words[i]}
    if [[ -n $expects ]]; then
      expects=''
    elif [[ $word == -?* ]]; then
      [[ $word == *=* ]] || { _acct_flag "$word" && expects=1; }
    elif _acct_verb "$word"; then
      at="${at:+$at }$verb"
      _acct_table "$at"
    else
      ((count += 1))
    fi
  done

  # What stands before the piece that bash will replace, and so must not be in the answer.
  local kept plain quote=''
  word=${words[n]}
  [[ $part == [=:] ]] && part=''
  _acct_plain "${word%"$part"}"
  kept=$plain
  COMPREPLY=()
  if [[ -n $expects ]]; then
    _acct_value "$takes" "$word" ''
  elif [[ $word == --*=* ]]; then
    _acct_flag "${word%%=*}" && _acct_value "$takes" "${word#*=}" "${word%%=*}="
  elif [[ $word == -* ]]; then
    _acct_reply '' "$word" < <(_acct_names $flags $_acct_globals)
  elif [[ -n $verbs ]]; then
    _acct_reply '' "$word" < <(_acct_names $verbs)
  else
    takes=''
    for i in $args; do
      takes=${i%...}
      ((count-- > 0)) || break
      [[ $i == *... ]] || takes=''
    done
    _acct_value "$takes" "$word" ''
  fi
}

_acct_flag() { # $1 a flag: sets what it takes, and fails when that is nothing
  local entry
  for entry in $flags $_acct_globals; do
    [[ "|${entry%%=*}|" == *"|$1|"* ]] || continue
    takes=${entry#*=}
    [[ $entry == *=* ]]
    return
  done
  return 1
}

_acct_verb() { # $1 a word: sets the verb that it means
  local entry
  for entry in $verbs; do
    verb=${entry%%|*}
    [[ "|$entry|" == *"|$1|"* ]] && return
  done
  return 1
}

_acct_names() { # prints the names of verbs or flags, one a line
  local entry
  for entry; do
    entry=${entry%%=*}
    echo "${entry%%|*}"
  done
}

_acct_plain() { # $1 a word as it was typed: sets what it means
  case $1 in
  \"*) plain=${1#?} plain=${plain//\\\"/\"} ;;
  \'*) plain=${1#?} ;;
  *) plain=${1//\\/} ;;
  esac
}

_acct_value() { # $1 what is wanted, $2 the value so far, $3 what stands before it in its word
  local kind=$1 before=$3 text
  [[ $2 == [\"\']* ]] && quote=${2:0:1}
  _acct_plain "$2"
  text=$plain
  if [[ $kind == ,* ]]; then
    kind=${kind#,}
    [[ $text == *,* ]] && before+=${text%,*}, text=${text##*,}
  fi
  case $kind in
  '' | -) ;;
  file) compopt -o default 2>/dev/null || _acct_reply "$before" "$text" < <(compgen -f -- "$text") ;;
  *'|'*) _acct_reply "$before" "$text" <<<"${kind//|/$'\n'}" ;;
  [[:upper:]]*) _acct_reply "$before" "$text" < <(printf '%s\n' $(_acct_list "$kind")) ;;
  *)
    _acct_reply "$before" "$text" < <(
      "$acct" completion _values "$kind" "$text" -- "${words[@]:1}" </dev/null 2>/dev/null
    )
    ;;
  esac
}

# Takes the values that the text so far begins, in any letter case, from lines of value and text.
_acct_reply() { # $1 what stands before the value, $2 the text so far
  local value length=${#2} head='' off=''
  shopt -q nocasematch || off=1
  while IFS=$'\t' read -r value _; do
    shopt -s nocasematch
    [[ ${value:0:length} == "$2" ]]
    local fits=$?
    [[ -z $off ]] || shopt -u nocasematch
    ((fits == 0)) || continue
    # Values that begin in different letter case have nothing in common that the text could become.
    [[ -n $head ]] || head=${value:0:length}
    [[ ${value:0:length} == "$head" ]] && _acct_add "$1$value"
  done
}

_acct_add() { # $1 a word: answers it as it must be typed
  local value=${1#"$kept"}
  [[ $1 == *[=:,] ]] && compopt -o nospace 2>/dev/null
  case $quote in
  \") value=$(printf %s "$value" | sed 's/[\\"$`]/\\&/g') ;;
  \') value=${value//\'/\'\\\'\'} ;;
  *) [[ $value == *[!A-Za-z0-9_.,:=/@%+-]* ]] && printf -v value %q "$value" ;;
  esac
  COMPREPLY+=("$value")
}

complete -F _acct acct
