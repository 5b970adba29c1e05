# Completions of acct for fish.
#
# Commands, flags and fixed values are in the table; acct is asked for what is in the book.

# >>> table: written from the commands of acct by a test, see test/cli/completion.test.ts
# An entry is a word, others that mean the same after |, and after = what it takes: DRAFT|PAID is one
# of these, contact a contact of the book, file a file; a comma before it allows several, capitals
# name a list, nothing is free text.
function __acct_table --no-scope-shadowing --description 'Sets what may follow the command $at'
    set verbs
    set flags
    set args
    switch "$at"
        case ''
            set verbs \
                'init make a book' \
                'invoice|invoices sales invoices' \
                'bill|bills purchase bills' \
                'credit-note|credit-notes credit notes, given and received' \
                'quote|quotes quotes to customers' \
                'purchase-order|purchase-orders|po orders to suppliers' \
                'repeating-invoice|repeating-invoices invoices that repeat on a schedule' \
                'linked-transaction|linked-transactions expenses that customers pay back' \
                'payment|payments payments of invoices and bills' \
                'prepayment|prepayments money paid before its invoice' \
                'overpayment|overpayments money paid beyond what was owed' \
                'bank-transaction|bank-transactions money received and spent' \
                'bank-transfer|bank-transfers money moved between bank accounts' \
                'batch-payment|batch-payments invoices or bills paid together' \
                'contact|contacts customers and suppliers' \
                'contact-group|contact-groups contacts under a name of their own' \
                'employee|employees people whom the organisation employs' \
                'item|items things bought and sold' \
                'account|accounts accounts of the chart' \
                'tax-rate|tax-rates tax rates and their components' \
                'tracking|tracking-category|tracking-categories tracking categories and their options' \
                'currency|currencies currencies and their exchange rates' \
                'budget|budgets what accounts are expected to come to, by month' \
                'organisation|organisations|organization|org the organisation whose books these are' \
                'branding|branding-theme|branding-themes how printed documents look, and what they say of paying' \
                'user|users people who work on the books' \
                'manual-journal|manual-journals journals posted by hand' \
                'journal|journals journals of the ledger' \
                'report|reports financial statements, aged balances, summaries and tax returns' \
                'attachment|attachments files on a record' \
                'history what was done to a record, and notes' \
                'import records from CSV files' \
                'export the ledger, and records to be imported' \
                'api any request, signed in' \
                'auth signing in to a service' \
                'profile|profiles books and services, by names of your own' \
                'book|books the book file itself' \
                'serve serve the book over HTTP' \
                'app|apps programs that may work on a served book' \
                'webhook|webhooks who is told of events' \
                'completion|completions completions for your shell' \
                'doctor what is configured, reachable, permitted, and what is wrong'
        case 'init'
            set flags \
                '--name= the organisation whose books these are' \
                '--country=AU|CA|GB|NZ|SG|US|ZA|GLOBAL AU, CA, GB, NZ, SG, US, ZA, GLOBAL' \
                '--currency=CURRENCY that of the country when not given' \
                '--financial-year-end= such as \'31 March\' or 03-31'
        case 'invoice'
            set verbs \
                'list|ls list sales invoices' \
                'show|view|get show one invoice' \
                'pdf save an invoice as PDF' \
                'create|new make an invoice' \
                'update|edit change an invoice' \
                'copy|duplicate make an invoice with the lines of another' \
                'submit submit invoices for approval' \
                'approve approve invoices: from now on they are owed' \
                'void void approved invoices without payments' \
                'delete delete invoices that were not approved' \
                'email email an invoice to its contact' \
                'remind email customers what is overdue' \
                'url print the address where a customer sees an invoice online' \
                'open open the page of an invoice in the browser' \
                'history what was done to an invoice, newest first' \
                'note add a note to the history of an invoice' \
                'import import invoices from a CSV file'
        case 'invoice list'
            set flags \
                '--invoice-number= several with commas' \
                '--reference= several with commas' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--due-date=DATE or a range FROM..TO, either end open' \
                '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--amount-due= or a range FROM..TO, either end open' \
                '--fully-paid-on-date=DATE or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--search= anywhere in its names and numbers' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided or deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'invoice show' 'invoice open' 'invoice history'
            set args \
                'invoice'
        case 'invoice pdf'
            set flags \
                '--output-file=file where to, - for standard output' \
                '--force write over a file that is there already'
            set args \
                'invoice'
        case 'invoice create'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--reference= sales only' \
                '--sent-to-contact approved invoices only' \
                '--no-sent-to-contact approved invoices only' \
                '--expected-payment-date=DATE sales only' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--interactive|-i ask for everything, also when flags are given' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'invoice update'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--reference= sales only' \
                '--sent-to-contact approved invoices only' \
                '--no-sent-to-contact approved invoices only' \
                '--expected-payment-date=DATE sales only' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice'
        case 'invoice copy'
            set flags \
                '--contact=contact' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--reference= sales only' \
                '--sent-to-contact approved invoices only' \
                '--no-sent-to-contact approved invoices only' \
                '--expected-payment-date=DATE sales only' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice'
        case 'invoice submit' 'invoice approve' 'invoice void' 'invoice delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice...'
        case 'invoice email'
            set flags \
                '--to= instead of its contact and the persons who are included in…' \
                '--cc= who gets it besides' \
                '--subject= instead of its number and your name' \
                '--message= instead of the usual words' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice'
        case 'invoice remind'
            set flags \
                '--all every invoice that is overdue' \
                '--message= instead of the usual words' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice...'
        case 'invoice url'
            set flags \
                '--revoke take the address back, so that it leads nowhere, and print…' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice'
        case 'invoice note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice' \
                '-'
        case 'invoice import' 'bill import' 'import invoices' 'import bills'
            set flags \
                '--map= where a field comes from: a column, or a text with columns…' \
                '--set= the same value for every row' \
                '--mapping=file take --map, --set and the forms below from this file' \
                '--save-mapping=file keep them in this file' \
                '--date-format= how dates are written, DD/MM/YYYY' \
                '--decimal=comma|point the decimal mark' \
                '--delimiter= between cells: comma, semicolon, tab, pipe' \
                '--encoding= of the text, windows-1252 say' \
                '--create-contacts make the contacts that are new' \
                '--create-items make the items that are new' \
                '--status=DRAFT|SUBMITTED|AUTHORISED what becomes of each' \
                '--on-duplicate=skip|update|error what to do with those that exist' \
                '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…' \
                '--partial leave bad rows out of a document, and take the rest' \
                '--allow-zero take documents that charge nothing' \
                '--recreate make again what the book has as voided, deleted or reversed' \
                '--rejected=file where refused rows go' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file'
        case 'bill'
            set verbs \
                'list|ls list purchase bills' \
                'show|view|get show one bill' \
                'pdf save a bill as PDF' \
                'create|new make a bill' \
                'update|edit change a bill' \
                'copy|duplicate make a bill with the lines of another' \
                'submit submit bills for approval' \
                'approve approve bills: from now on they are owed' \
                'void void approved bills without payments' \
                'delete delete bills that were not approved' \
                'history what was done to a bill, newest first' \
                'note add a note to the history of a bill' \
                'import import bills from a CSV file'
        case 'bill list'
            set flags \
                '--invoice-number= several with commas' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--due-date=DATE or a range FROM..TO, either end open' \
                '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--amount-due= or a range FROM..TO, either end open' \
                '--fully-paid-on-date=DATE or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--search= anywhere in its names and numbers' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided or deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'bill show' 'bill history'
            set args \
                'bill'
        case 'bill pdf'
            set flags \
                '--output-file=file where to, - for standard output' \
                '--force write over a file that is there already'
            set args \
                'bill'
        case 'bill create'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--planned-payment-date=DATE bills only' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--interactive|-i ask for everything, also when flags are given' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'bill update'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--planned-payment-date=DATE bills only' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bill'
        case 'bill copy'
            set flags \
                '--contact=contact' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--invoice-number= generated for sales when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--planned-payment-date=DATE bills only' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bill'
        case 'bill submit' 'bill approve' 'bill void' 'bill delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bill...'
        case 'bill note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bill' \
                '-'
        case 'credit-note'
            set verbs \
                'list|ls list credit notes' \
                'show|view|get show one credit note' \
                'pdf save a credit note as PDF' \
                'create|new make a credit note' \
                'update|edit change a credit note' \
                'submit submit credit notes for approval' \
                'approve approve credit notes' \
                'void void approved credit notes that were not used' \
                'delete delete credit notes that were not approved' \
                'allocate apply a credit note to an invoice or a bill' \
                'unallocate take a credit note back from an invoice or a bill' \
                'refund pay a credit note back' \
                'url print the address where a customer sees a credit note online' \
                'open open the page of a credit note in the browser' \
                'history what was done to a credit note, newest first' \
                'note add a note to the history of a credit note'
        case 'credit-note list'
            set flags \
                '--type=,ACCRECCREDIT|ACCPAYCREDIT several with commas' \
                '--credit-note-number= several with commas' \
                '--reference= several with commas' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--remaining-credit= or a range FROM..TO, either end open' \
                '--fully-paid-on-date=DATE or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided or deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'credit-note show' 'credit-note open' 'credit-note history'
            set args \
                'credit-note'
        case 'credit-note pdf'
            set flags \
                '--output-file=file where to, - for standard output' \
                '--force write over a file that is there already'
            set args \
                'credit-note'
        case 'credit-note create'
            set flags \
                '--type=ACCRECCREDIT|ACCPAYCREDIT ACCRECCREDIT is to a customer, ACCPAYCREDIT from a supplier' \
                '--contact=contact who is credited, or credits, by name, number or id' \
                '--date=DATE today when not given' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--credit-note-number= generated for customers when not given' \
                '--reference= to customers only' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--sent-to-contact approved credit notes only' \
                '--no-sent-to-contact approved credit notes only' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'credit-note update'
            set flags \
                '--type=ACCRECCREDIT|ACCPAYCREDIT ACCRECCREDIT is to a customer, ACCPAYCREDIT from a supplier' \
                '--contact=contact who is credited, or credits, by name, number or id' \
                '--date=DATE today when not given' \
                '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--credit-note-number= generated for customers when not given' \
                '--reference= to customers only' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--sent-to-contact approved credit notes only' \
                '--no-sent-to-contact approved credit notes only' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note'
        case 'credit-note submit' 'credit-note approve' 'credit-note void' 'credit-note delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note...'
        case 'credit-note allocate'
            set flags \
                '--invoice=invoice' \
                '--amount= as much as is left of the credit note and due on the invoic…' \
                '--date=DATE of a credit note' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note'
        case 'credit-note unallocate'
            set flags \
                '--invoice=invoice' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note'
        case 'credit-note refund'
            set flags \
                '--account=account bank account, or one with payments enabled' \
                '--amount= what is left of it when not given' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--currency-rate= only for documents in a foreign currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note'
        case 'credit-note url'
            set flags \
                '--revoke take the address back, so that it leads nowhere, and print…' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note'
        case 'credit-note note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'credit-note' \
                '-'
        case 'quote'
            set verbs \
                'list|ls list quotes to customers' \
                'show|view|get show one quote' \
                'pdf save a quote as PDF' \
                'create|new make a quote' \
                'update|edit change a quote' \
                'copy|duplicate make a quote with the lines of another' \
                'send mark quotes as sent' \
                'accept mark quotes as accepted' \
                'decline mark quotes as declined' \
                'invoice make the invoice of a quote, wholly or in part' \
                'delete delete quotes that are not invoiced' \
                'url print the address where a customer sees a quote online' \
                'open open the page of a quote in the browser' \
                'history what was done to a quote, newest first' \
                'note add a note to the history of a quote'
        case 'quote list'
            set flags \
                '--quote-number= several with commas' \
                '--contact=contact' \
                '--expiry-date=DATE or a range FROM..TO, either end open' \
                '--status=,DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'quote show' 'quote open' 'quote history'
            set args \
                'quote'
        case 'quote pdf'
            set flags \
                '--output-file=file where to, - for standard output' \
                '--force write over a file that is there already'
            set args \
                'quote'
        case 'quote create'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--expiry-date=DATE +20d counts from --date' \
                '--title=' \
                '--summary= above the lines' \
                '--terms= below the lines' \
                '--reference=' \
                '--status=DRAFT|SENT DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--quote-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'quote update'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--date=DATE today when not given' \
                '--expiry-date=DATE +20d counts from --date' \
                '--title=' \
                '--summary= above the lines' \
                '--terms= below the lines' \
                '--reference=' \
                '--status=DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--quote-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote'
        case 'quote copy'
            set flags \
                '--contact=contact' \
                '--date=DATE today when not given' \
                '--expiry-date=DATE +20d counts from --date' \
                '--title=' \
                '--summary= above the lines' \
                '--terms= below the lines' \
                '--reference=' \
                '--status=DRAFT|SENT DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--quote-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote'
        case 'quote send' 'quote accept' 'quote decline' 'quote delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote...'
        case 'quote invoice'
            set flags \
                '--invoice-number= generated for sales when not given' \
                '--reference= sales only' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--expected-payment-date=DATE sales only' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--line= one line by its place from 1, and how much of it' \
                '--all-lines everything that is left, as when no --line is given' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote'
        case 'quote url'
            set flags \
                '--revoke take the address back, so that it leads nowhere, and print…' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote'
        case 'quote note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'quote' \
                '-'
        case 'purchase-order'
            set verbs \
                'list|ls list orders to suppliers' \
                'show|view|get show one purchase order' \
                'pdf save a purchase order as PDF' \
                'create|new make a purchase order' \
                'copy|duplicate make a purchase order with the lines of another' \
                'update|edit change a purchase order' \
                'submit submit purchase orders for approval' \
                'approve approve purchase orders' \
                'bill make the bill of a purchase order, wholly or in part' \
                'delete delete purchase orders; their numbers stay taken' \
                'history what was done to a purchase order, newest first' \
                'note add a note to the history of a purchase order'
        case 'purchase-order list'
            set flags \
                '--status=,DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'purchase-order show' 'purchase-order history'
            set args \
                'purchase-order'
        case 'purchase-order pdf'
            set flags \
                '--output-file=file where to, - for standard output' \
                '--force write over a file that is there already'
            set args \
                'purchase-order'
        case 'purchase-order create'
            set flags \
                '--contact=contact the supplier, by name, number or id' \
                '--date=DATE today when not given' \
                '--delivery-date=DATE +20d counts from --date' \
                '--expected-arrival-date=DATE +20d counts from --date' \
                '--reference=' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--purchase-order-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--sent-to-contact approved and billed orders only' \
                '--no-sent-to-contact approved and billed orders only' \
                '--delivery-address= where the goods go, in lines' \
                '--attention-to= who takes them there' \
                '--telephone= of whoever takes them' \
                '--delivery-instructions=' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'purchase-order copy'
            set flags \
                '--contact=contact' \
                '--date=DATE today when not given' \
                '--delivery-date=DATE +20d counts from --date' \
                '--expected-arrival-date=DATE +20d counts from --date' \
                '--reference=' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--purchase-order-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--sent-to-contact approved and billed orders only' \
                '--no-sent-to-contact approved and billed orders only' \
                '--delivery-address= where the goods go, in lines' \
                '--attention-to= who takes them there' \
                '--telephone= of whoever takes them' \
                '--delivery-instructions=' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'purchase-order'
        case 'purchase-order update'
            set flags \
                '--contact=contact the supplier, by name, number or id' \
                '--date=DATE today when not given' \
                '--delivery-date=DATE +20d counts from --date' \
                '--expected-arrival-date=DATE +20d counts from --date' \
                '--reference=' \
                '--status=DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--purchase-order-number= generated when not given' \
                '--currency-code=CURRENCY' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--sent-to-contact approved and billed orders only' \
                '--no-sent-to-contact approved and billed orders only' \
                '--delivery-address= where the goods go, in lines' \
                '--attention-to= who takes them there' \
                '--telephone= of whoever takes them' \
                '--delivery-instructions=' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'purchase-order'
        case 'purchase-order submit' 'purchase-order approve' 'purchase-order delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'purchase-order...'
        case 'purchase-order bill'
            set flags \
                '--invoice-number= generated for sales when not given' \
                '--date=DATE today when not given' \
                '--due-date=DATE +20d counts from --date' \
                '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given' \
                '--planned-payment-date=DATE bills only' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--branding-theme-id=' \
                '--url= link to a source document' \
                '--line= one line by its place from 1, and how much of it' \
                '--all-lines everything that is left, as when no --line is given' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'purchase-order'
        case 'purchase-order note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'purchase-order' \
                '-'
        case 'repeating-invoice'
            set verbs \
                'list|ls list invoices that repeat on a schedule' \
                'show|view|get show one repeating invoice' \
                'create|new make a repeating invoice' \
                'update|edit change a repeating invoice' \
                'delete delete templates; their invoices stay' \
                'run make the invoices that are due' \
                'history what was done to a repeating invoice, newest first' \
                'note add a note to the history of a repeating invoice'
        case 'repeating-invoice list'
            set flags \
                '--contact=contact' \
                '--reference= several with commas' \
                '--status=,DRAFT|AUTHORISED|DELETED several with commas' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'repeating-invoice show' 'repeating-invoice history'
            set args \
                'repeating-invoice'
        case 'repeating-invoice create'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--reference= [Week], [Month], [Month-1] and [Year] stand for those of th…' \
                '--status=DRAFT|AUTHORISED AUTHORISED makes approved invoices, DRAFT makes drafts' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--currency-code=CURRENCY' \
                '--branding-theme-id=' \
                '--approved-for-sending email each invoice when it is made' \
                '--no-approved-for-sending email each invoice when it is made' \
                '--send-copy send a copy to yourself' \
                '--no-send-copy send a copy to yourself' \
                '--mark-as-sent mark each invoice as sent' \
                '--no-mark-as-sent mark each invoice as sent' \
                '--include-pdf attach the invoice as PDF' \
                '--no-include-pdf attach the invoice as PDF' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--every= weeks or months from one to the next' \
                '--unit=WEEKLY|MONTHLY' \
                '--start-date=DATE of the first' \
                '--end-date=DATE no invoice is made after it' \
                '--due-date= days, or a day of the month' \
                '--due-date-type=DUE_DATE_TYPE' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'repeating-invoice update'
            set flags \
                '--contact=contact who it is for, by name, number or id' \
                '--reference= [Week], [Month], [Month-1] and [Year] stand for those of th…' \
                '--status=DRAFT|AUTHORISED|DELETED AUTHORISED makes approved invoices, DRAFT makes drafts' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given' \
                '--currency-code=CURRENCY' \
                '--branding-theme-id=' \
                '--approved-for-sending email each invoice when it is made' \
                '--no-approved-for-sending email each invoice when it is made' \
                '--send-copy send a copy to yourself' \
                '--no-send-copy send a copy to yourself' \
                '--mark-as-sent mark each invoice as sent' \
                '--no-mark-as-sent mark each invoice as sent' \
                '--include-pdf attach the invoice as PDF' \
                '--no-include-pdf attach the invoice as PDF' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--every= weeks or months from one to the next' \
                '--unit=WEEKLY|MONTHLY' \
                '--start-date=DATE of the first' \
                '--end-date=DATE no invoice is made after it' \
                '--due-date= days, or a day of the month' \
                '--due-date-type=DUE_DATE_TYPE' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'repeating-invoice'
        case 'repeating-invoice delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'repeating-invoice...'
        case 'repeating-invoice run'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'repeating-invoice note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'repeating-invoice' \
                '-'
        case 'linked-transaction'
            set verbs \
                'list|ls list expenses that customers pay back' \
                'show|view|get show one linked transaction' \
                'create|new have the line of a bill paid back by a customer' \
                'delete delete a linked transaction'
        case 'linked-transaction list'
            set flags \
                '--source-transaction-id= several with commas' \
                '--contact-id= several with commas' \
                '--target-transaction-id= several with commas' \
                '--status=,DRAFT|APPROVED|ONDRAFT|BILLED|VOIDED' \
                '--any-status also what is voided' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'linked-transaction show'
            set args \
                'linked-transaction'
        case 'linked-transaction create'
            set flags \
                '--bill=bill the bill, by number or id' \
                '--bill-line= its line, from 1' \
                '--contact=contact the customer' \
                '--invoice=invoice the invoice that bills it' \
                '--invoice-line= its line, from 1' \
                '--source-transaction-id= instead of --bill, such as spent money' \
                '--source-line-item-id= instead of --bill-line' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'linked-transaction delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'linked-transaction'
        case 'payment'
            set verbs \
                'list|ls list payments of invoices and bills' \
                'show|view|get show one payment' \
                'apply pay an invoice or a bill' \
                'reverse|delete take a payment back' \
                'import import payments from a CSV file'
        case 'payment list'
            set flags \
                '--invoice=invoice' \
                '--credit-note=' \
                '--prepayment=prepayment' \
                '--overpayment=overpayment' \
                '--account=account' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--amount= or a range FROM..TO, either end open' \
                '--reference= several with commas' \
                '--status=,AUTHORISED|DELETED several with commas' \
                '--payment-type=,PAYMENT_TYPE' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Amount>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'payment show'
            set args \
                'payment'
        case 'payment apply'
            set flags \
                '--account=account bank account, or one with payments enabled' \
                '--amount= what is due when not given' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--currency-rate= only for documents in a foreign currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'invoice'
        case 'payment reverse'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'payment'
        case 'payment import' 'import payments'
            set flags \
                '--map= where a field comes from: a column, or a text with columns…' \
                '--set= the same value for every row' \
                '--mapping=file take --map, --set and the forms below from this file' \
                '--save-mapping=file keep them in this file' \
                '--date-format= how dates are written, DD/MM/YYYY' \
                '--decimal=comma|point the decimal mark' \
                '--delimiter= between cells: comma, semicolon, tab, pipe' \
                '--encoding= of the text, windows-1252 say' \
                '--on-duplicate=skip|error what to do with those that exist' \
                '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…' \
                '--recreate make again what the book has as voided, deleted or reversed' \
                '--rejected=file where refused rows go' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file'
        case 'prepayment'
            set verbs \
                'list|ls list money paid before its invoice' \
                'show|view|get show one prepayment' \
                'allocate apply a prepayment to an invoice or a bill' \
                'unallocate take a prepayment back from an invoice or a bill' \
                'refund pay a prepayment back' \
                'void take back a prepayment that never was' \
                'history what was done to a prepayment, newest first' \
                'note add a note to the history of a prepayment'
        case 'prepayment list'
            set flags \
                '--type=,RECEIVE-PREPAYMENT|SPEND-PREPAYMENT' \
                '--reference= several with commas' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--status=,AUTHORISED|PAID|VOIDED several with commas' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--remaining-credit= or a range FROM..TO, either end open' \
                '--fully-paid-on-date=DATE or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'prepayment show' 'prepayment history'
            set args \
                'prepayment'
        case 'prepayment allocate'
            set flags \
                '--invoice=invoice' \
                '--amount= as much as is left of the prepayment and due on the invoice…' \
                '--date=DATE of a credit note' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'prepayment'
        case 'prepayment unallocate'
            set flags \
                '--invoice=invoice' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'prepayment'
        case 'prepayment refund'
            set flags \
                '--account=account bank account, or one with payments enabled' \
                '--amount= what is left of it when not given' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--currency-rate= only for documents in a foreign currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'prepayment'
        case 'prepayment void'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'prepayment...'
        case 'prepayment note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'prepayment' \
                '-'
        case 'overpayment'
            set verbs \
                'list|ls list money paid beyond what was owed' \
                'show|view|get show one overpayment' \
                'allocate apply an overpayment to an invoice or a bill' \
                'unallocate take an overpayment back from an invoice or a bill' \
                'refund pay an overpayment back' \
                'void take back an overpayment that never was' \
                'history what was done to an overpayment, newest first' \
                'note add a note to the history of an overpayment'
        case 'overpayment list'
            set flags \
                '--type=,RECEIVE-OVERPAYMENT|SPEND-OVERPAYMENT' \
                '--reference= several with commas' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--status=,AUTHORISED|PAID|VOIDED several with commas' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--remaining-credit= or a range FROM..TO, either end open' \
                '--fully-paid-on-date=DATE or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'overpayment show' 'overpayment history'
            set args \
                'overpayment'
        case 'overpayment allocate'
            set flags \
                '--invoice=invoice' \
                '--amount= as much as is left of the overpayment and due on the invoic…' \
                '--date=DATE of a credit note' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'overpayment'
        case 'overpayment unallocate'
            set flags \
                '--invoice=invoice' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'overpayment'
        case 'overpayment refund'
            set flags \
                '--account=account bank account, or one with payments enabled' \
                '--amount= what is left of it when not given' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--currency-rate= only for documents in a foreign currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'overpayment'
        case 'overpayment void'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'overpayment...'
        case 'overpayment note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'overpayment' \
                '-'
        case 'bank-transaction'
            set verbs \
                'list|ls list money received and spent' \
                'show|view|get show one bank transaction' \
                'create|new make a bank transaction' \
                'update|edit change a bank transaction' \
                'void take back money received or spent' \
                'history what was done to a bank transaction, newest first' \
                'note add a note to the history of a bank transaction'
        case 'bank-transaction list'
            set flags \
                '--type=,TYPE' \
                '--bank-account=account' \
                '--contact=contact' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--reference= several with commas' \
                '--status=,AUTHORISED|DELETED|VOIDED several with commas' \
                '--total= or a range FROM..TO, either end open' \
                '--currency-code=,CURRENCY' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Total>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided or deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'bank-transaction show' 'bank-transaction history'
            set args \
                'bank-transaction'
        case 'bank-transaction create'
            set flags \
                '--type=TYPE_2 RECEIVE is money in, SPEND is money out' \
                '--bank-account=account an account of type BANK' \
                '--contact=contact who paid, or was paid, by name, number or id' \
                '--date=DATE today when not given' \
                '--reference= not of prepayments' \
                '--invoice-number= of a prepayment: the invoice it is for, which it shows as i…' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Inclusive when not given' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--url= link to a source document' \
                '--line=line one line: account, amount, discount, item, tax, description…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'bank-transaction update'
            set flags \
                '--bank-account=account an account of type BANK' \
                '--contact=contact who paid, or was paid, by name, number or id' \
                '--date=DATE today when not given' \
                '--reference= not of prepayments' \
                '--invoice-number= of a prepayment: the invoice it is for, which it shows as i…' \
                '--line-amount-types=Exclusive|Inclusive|NoTax Inclusive when not given' \
                '--currency-rate= foreign units for one unit of the base currency' \
                '--is-reconciled' \
                '--no-is-reconciled' \
                '--url= link to a source document' \
                '--line=line instead of all its lines' \
                '--add-line=line besides the lines it has' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bank-transaction'
        case 'bank-transaction void'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bank-transaction...'
        case 'bank-transaction note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bank-transaction' \
                '-'
        case 'bank-transfer'
            set verbs \
                'list|ls list money moved between bank accounts' \
                'show|view|get show one bank transfer' \
                'create|new move money between bank accounts' \
                'void take bank transfers back' \
                'history what was done to a bank transfer, newest first' \
                'note add a note to the history of a bank transfer'
        case 'bank-transfer list'
            set flags \
                '--from-bank-account=account' \
                '--to-bank-account=account' \
                '--amount= or a range FROM..TO, either end open' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--reference= several with commas' \
                '--status=,AUTHORISED|DELETED several with commas' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Amount>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'bank-transfer show' 'bank-transfer history'
            set args \
                'bank-transfer'
        case 'bank-transfer create'
            set flags \
                '--from=account the bank account that the money leaves' \
                '--to=account the bank account that the money comes to' \
                '--amount= in the currency of the first account' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--from-is-reconciled' \
                '--no-from-is-reconciled' \
                '--to-is-reconciled' \
                '--no-to-is-reconciled' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'bank-transfer void'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bank-transfer...'
        case 'bank-transfer note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'bank-transfer' \
                '-'
        case 'batch-payment'
            set verbs \
                'list|ls list invoices or bills paid together' \
                'show|view|get show one batch payment' \
                'create|new pay several invoices, or several bills' \
                'reverse|delete take every payment of a batch back' \
                'history what was done to a batch payment, newest first'
        case 'batch-payment list'
            set flags \
                '--account=account' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--reference= several with commas' \
                '--type=,PAYBATCH|RECBATCH several with commas' \
                '--status=,AUTHORISED|DELETED several with commas' \
                '--total-amount= or a range FROM..TO, either end open' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'TotalAmount>=100\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'batch-payment show' 'batch-payment history'
            set args \
                'batch-payment'
        case 'batch-payment create'
            set flags \
                '--account=account bank account, or one with payments enabled' \
                '--date=DATE today when not given' \
                '--reference=' \
                '--particulars= New Zealand only' \
                '--code= New Zealand only' \
                '--details= for the bank' \
                '--narrative= for the statement line' \
                '--pay= an invoice or a bill, and what is paid of it' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'batch-payment reverse'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'batch-payment'
        case 'contact'
            set verbs \
                'list|ls list customers and suppliers' \
                'show|view|get show one contact' \
                'create|new make a contact' \
                'update|edit change a contact' \
                'archive put contacts out of use; their records stay' \
                'restore|unarchive take archived contacts back into use' \
                'cis show or set whether tax is deducted from a contact' \
                'history what was done to a contact, newest first' \
                'note add a note to the history of a contact' \
                'import import contacts from a CSV file'
        case 'contact list'
            set flags \
                '--contact-number= several with commas' \
                '--status=,ACTIVE|ARCHIVED|GDPRREQUEST several with commas' \
                '--name= several with commas' \
                '--email-address= several with commas' \
                '--search= anywhere in its names and numbers' \
                '--where= in the service\'s words, such as \'ContactNumber.StartsWith("…' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'contact show' 'contact history'
            set args \
                'contact'
        case 'contact create'
            set flags \
                '--name= unique among active contacts' \
                '--contact-number= your own key for the contact, unique' \
                '--account-number=' \
                '--email-address=' \
                '--first-name=' \
                '--last-name=' \
                '--company-number=' \
                '--tax-number=' \
                '--tax-number-type=SSN|EIN|ITIN|ATIN' \
                '--bank-account-details=' \
                '--default-currency=CURRENCY' \
                '--accounts-receivable-tax-type=tax-rate' \
                '--accounts-payable-tax-type=tax-rate' \
                '--sales-default-account-code=account' \
                '--purchases-default-account-code=account' \
                '--phone= its telephone' \
                '--mobile= its mobile telephone' \
                '--address= where it is: street, line2, city, region, postcode, country' \
                '--postal-address= where its post goes' \
                '--person= somebody there: first-name, last-name, email, include-in-em…' \
                '--sales-terms= when its invoices fall due, such as "20 days"' \
                '--bill-terms= when its bills fall due' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'contact update'
            set flags \
                '--name= unique among active contacts' \
                '--contact-number= your own key for the contact, unique' \
                '--account-number=' \
                '--email-address=' \
                '--first-name=' \
                '--last-name=' \
                '--company-number=' \
                '--tax-number=' \
                '--tax-number-type=SSN|EIN|ITIN|ATIN' \
                '--bank-account-details=' \
                '--default-currency=CURRENCY' \
                '--accounts-receivable-tax-type=tax-rate' \
                '--accounts-payable-tax-type=tax-rate' \
                '--sales-default-account-code=account' \
                '--purchases-default-account-code=account' \
                '--phone= its telephone' \
                '--mobile= its mobile telephone' \
                '--address= where it is: street, line2, city, region, postcode, country' \
                '--postal-address= where its post goes' \
                '--person= somebody there: first-name, last-name, email, include-in-em…' \
                '--sales-terms= when its invoices fall due, such as "20 days"' \
                '--bill-terms= when its bills fall due' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact'
        case 'contact archive' 'contact restore'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact...'
        case 'contact cis'
            set flags \
                '--enabled the construction scheme applies to it' \
                '--no-enabled the construction scheme applies to it' \
                '--rate= percent that is deducted: 0, 20 or 30' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact'
        case 'contact note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact' \
                '-'
        case 'contact import' 'item import' 'import contacts' 'import items'
            set flags \
                '--map= where a field comes from: a column, or a text with columns…' \
                '--set= the same value for every row' \
                '--mapping=file take --map, --set and the forms below from this file' \
                '--save-mapping=file keep them in this file' \
                '--date-format= how dates are written, DD/MM/YYYY' \
                '--decimal=comma|point the decimal mark' \
                '--delimiter= between cells: comma, semicolon, tab, pipe' \
                '--encoding= of the text, windows-1252 say' \
                '--on-duplicate=skip|update|error what to do with those that exist' \
                '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…' \
                '--rejected=file where refused rows go' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file'
        case 'contact-group'
            set verbs \
                'list|ls list contacts under a name of their own' \
                'show|view|get show one contact-group' \
                'create|new make a contact group' \
                'update|edit rename a contact group' \
                'delete delete a contact group; its contacts stay' \
                'add add contacts to a group' \
                'remove take contacts out of a group'
        case 'contact-group list'
            set flags \
                '--name= several with commas' \
                '--status=,ACTIVE|DELETED several with commas' \
                '--where= in the service\'s words, such as \'Name.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'contact-group show'
            set args \
                'contact-group'
        case 'contact-group create'
            set flags \
                '--name=' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'contact-group update'
            set flags \
                '--name=' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact-group'
        case 'contact-group delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact-group'
        case 'contact-group add' 'contact-group remove'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'contact-group' \
                'contact...'
        case 'employee'
            set verbs \
                'list|ls list people whom the organisation employs' \
                'show|view|get show one employee' \
                'create|new add an employee' \
                'update|edit change an employee'
        case 'employee list'
            set flags \
                '--status=,ACTIVE|ARCHIVED|GDPRREQUEST|DELETED' \
                '--first-name= several with commas' \
                '--last-name= several with commas' \
                '--where= in the service\'s words, such as \'FirstName.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'employee show'
            set args \
                'employee'
        case 'employee create'
            set flags \
                '--first-name=' \
                '--last-name=' \
                '--url= a page about them elsewhere' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'employee update'
            set flags \
                '--first-name=' \
                '--last-name=' \
                '--status=ACTIVE|ARCHIVED|GDPRREQUEST|DELETED' \
                '--url= a page about them elsewhere' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'employee'
        case 'item'
            set verbs \
                'list|ls list things bought and sold' \
                'show|view|get show one item' \
                'create|new make an item' \
                'update|edit change an item' \
                'delete delete an item' \
                'history what was done to an item, newest first' \
                'note add a note to the history of an item' \
                'import import items from a CSV file'
        case 'item list'
            set flags \
                '--code= several with commas' \
                '--name= several with commas' \
                '--is-sold' \
                '--no-is-sold' \
                '--is-purchased' \
                '--no-is-purchased' \
                '--where= in the service\'s words, such as \'Code.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--modified-since=DATE changed since' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'item show' 'item history'
            set args \
                'item'
        case 'item create'
            set flags \
                '--code=' \
                '--name=' \
                '--description= as it stands on sales' \
                '--purchase-description=' \
                '--is-sold true when not given' \
                '--no-is-sold true when not given' \
                '--is-purchased true when not given' \
                '--no-is-purchased true when not given' \
                '--inventory-asset-account-code=account makes the item tracked' \
                '--unit-price= what it sells for' \
                '--sales-account= where sales of it are booked' \
                '--sales-tax= tax rate of its sales' \
                '--purchase-price= what it is bought for' \
                '--purchase-account= where purchases are booked' \
                '--purchase-tax= tax rate of its purchases' \
                '--cogs-account= cost of goods sold' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'item update'
            set flags \
                '--code=' \
                '--name=' \
                '--description= as it stands on sales' \
                '--purchase-description=' \
                '--is-sold true when not given' \
                '--no-is-sold true when not given' \
                '--is-purchased true when not given' \
                '--no-is-purchased true when not given' \
                '--inventory-asset-account-code=account makes the item tracked' \
                '--unit-price= what it sells for' \
                '--sales-account= where sales of it are booked' \
                '--sales-tax= tax rate of its sales' \
                '--purchase-price= what it is bought for' \
                '--purchase-account= where purchases are booked' \
                '--purchase-tax= tax rate of its purchases' \
                '--cogs-account= cost of goods sold' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'item'
        case 'item delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'item'
        case 'item note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'item' \
                '-'
        case 'account'
            set verbs \
                'list|ls list accounts of the chart' \
                'show|view|get show one account' \
                'create|new add an account to the chart' \
                'update|edit change an account' \
                'archive put accounts out of use; their postings stay' \
                'restore|unarchive take archived accounts back into use' \
                'delete delete an account'
        case 'account list'
            set flags \
                '--code= several with commas' \
                '--name= several with commas' \
                '--status=,ACTIVE|ARCHIVED|DELETED several with commas' \
                '--type=,TYPE_3' \
                '--class=,ASSET|LIABILITY|EQUITY|REVENUE|EXPENSE' \
                '--where= in the service\'s words, such as \'Code.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--modified-since=DATE changed since' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'account show'
            set args \
                'account'
        case 'account create'
            set flags \
                '--code= short code, unique' \
                '--name=' \
                '--type=TYPE_3' \
                '--tax-type=tax-rate tax used on lines that name none' \
                '--description=' \
                '--bank-account-number= needed for type BANK' \
                '--bank-account-type=BANK|CREDITCARD|PAYPAL|NONE' \
                '--currency-code=CURRENCY bank accounts only' \
                '--enable-payments-to-account' \
                '--no-enable-payments-to-account' \
                '--show-in-expense-claims' \
                '--no-show-in-expense-claims' \
                '--add-to-watchlist' \
                '--no-add-to-watchlist' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'account update'
            set flags \
                '--code= short code, unique' \
                '--name=' \
                '--type=TYPE_3' \
                '--tax-type=tax-rate tax used on lines that name none' \
                '--description=' \
                '--bank-account-number= needed for type BANK' \
                '--bank-account-type=BANK|CREDITCARD|PAYPAL|NONE' \
                '--currency-code=CURRENCY bank accounts only' \
                '--enable-payments-to-account' \
                '--no-enable-payments-to-account' \
                '--show-in-expense-claims' \
                '--no-show-in-expense-claims' \
                '--add-to-watchlist' \
                '--no-add-to-watchlist' \
                '--status=ACTIVE|ARCHIVED' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'account'
        case 'account archive' 'account restore'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'account...'
        case 'account delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'account'
        case 'tax-rate'
            set verbs \
                'list|ls list tax rates and their components' \
                'show|view|get show one tax-rate' \
                'create|new make a tax rate' \
                'update|edit change a tax rate' \
                'delete delete a tax rate'
        case 'tax-rate list'
            set flags \
                '--name= several with commas' \
                '--tax-type=,tax-rate several with commas' \
                '--status=,ACTIVE|DELETED|ARCHIVED|PENDING several with commas' \
                '--where= in the service\'s words, such as \'Name.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'tax-rate show'
            set args \
                'tax-rate'
        case 'tax-rate create'
            set flags \
                '--name=' \
                '--report-tax-type=REPORT_TAX_TYPE needed on create in AU, NZ and the UK' \
                '--component= one part of the rate: name, rate in percent, compound, non-…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'tax-rate update'
            set flags \
                '--name=' \
                '--report-tax-type=REPORT_TAX_TYPE needed on create in AU, NZ and the UK' \
                '--component= one part of the rate: name, rate in percent, compound, non-…' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'tax-rate'
        case 'tax-rate delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'tax-rate'
        case 'tracking'
            set verbs \
                'list|ls list tracking categories and their options' \
                'show|view|get show one tracking' \
                'create|new make a tracking category' \
                'update|edit rename a tracking category, or archive it' \
                'delete delete a tracking' \
                'option|options options of a tracking category'
        case 'tracking list'
            set flags \
                '--name= several with commas' \
                '--status=,ACTIVE|ARCHIVED|DELETED several with commas' \
                '--where= in the service\'s words, such as \'Name.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is deleted' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'tracking show'
            set args \
                'tracking'
        case 'tracking create'
            set flags \
                '--name=' \
                '--option= an option of it' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'tracking update'
            set flags \
                '--name=' \
                '--status=ACTIVE|ARCHIVED ACTIVE when not given' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'tracking'
        case 'tracking delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'tracking'
        case 'tracking option'
            set verbs \
                'add add options to a tracking category' \
                'remove|delete take an option out of use; used ones are archived'
        case 'tracking option add' 'tracking option remove'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'tracking' \
                '-'
        case 'currency'
            set verbs \
                'list|ls list currencies and their exchange rates' \
                'show|view|get show one currency' \
                'add|create|new keep books in another currency too' \
                'rate say what a currency is worth, or show what it was' \
                'rates take rates from a CSV file'
        case 'currency list'
            set flags \
                '--code=,CURRENCY' \
                '--description= several with commas' \
                '--where= in the service\'s words, such as \'Description.StartsWith("A"…' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'currency show'
            set args \
                'currency'
        case 'currency add'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                '-'
        case 'currency rate'
            set flags \
                '--date=DATE from this day on' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'currency' \
                '-'
        case 'currency rates'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file'
        case 'budget'
            set verbs \
                'list|ls list what accounts are expected to come to, by month' \
                'show|view|get show a budget' \
                'create|new make a budget' \
                'import take a budget from a CSV file'
        case 'budget list'
            set flags \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'budget show'
            set flags \
                '--from=DATE first month' \
                '--to=DATE last month, at most 24 in all'
            set args \
                '-'
        case 'budget create'
            set flags \
                '--description=' \
                '--type=OVERALL|TRACKING OVERALL when not given' \
                '--tracking=tracking the option that it is for' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'budget import'
            set flags \
                '--to= into this one' \
                '--description= what the overall budget is called when it is made' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file'
        case 'organisation'
            set verbs \
                'show|view|get|list show the organisation' \
                'update|edit change what the organisation is called and goes by' \
                'history what was changed of it, newest first' \
                'actions list what may be done in it' \
                'cis show or set how it takes part in the construction scheme'
        case 'organisation update'
            set flags \
                '--name=' \
                '--legal-name= as it stands on documents' \
                '--organisation-type=ORGANISATION_TYPE what kind of body it is' \
                '--line-of-business= what it does' \
                '--tax-number= its number with the tax office' \
                '--registration-number= its number in the register of companies' \
                '--employer-identification-number= United States only' \
                '--pays-tax registered for tax: lines take the rate of their account' \
                '--no-pays-tax registered for tax: lines take the rate of their account' \
                '--sales-tax-basis=PAYMENTS|INVOICE|CASH|ACCRUAL|ACCRUALS|FLATRATECASH|FLATRATEACCRUAL|NONE when tax is owed' \
                '--sales-tax-period=SALES_TAX_PERIOD how often a return is made' \
                '--timezone= whose day it is: NEWZEALANDSTANDARDTIME, Pacific/Auckland' \
                '--default-sales-tax=exclusive|inclusive|none|previous how amounts of sales are entered' \
                '--default-purchases-tax=exclusive|inclusive|none|previous how amounts of purchases are entered' \
                '--financial-year-end= such as \'31 March\' or 03-31' \
                '--period-lock-date= nothing may change on or before it' \
                '--end-of-year-lock-date= as above, for years that are closed' \
                '--address= where it is: street, line2, city, region, postcode, country' \
                '--postal-address= where its post goes, and what documents say' \
                '--phone= its telephone' \
                '--mobile= its mobile telephone' \
                '--website= its address on the web' \
                '--sales-terms= when invoices fall due, such as "20 days" or "20 following-…' \
                '--bill-terms= when bills fall due' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'organisation cis'
            set flags \
                '--contractor it deducts from what it pays subcontractors' \
                '--no-contractor it deducts from what it pays subcontractors' \
                '--subcontractor its customers deduct from what they pay it' \
                '--no-subcontractor its customers deduct from what they pay it' \
                '--rate= percent that is deducted from its own sales'
        case 'branding'
            set verbs \
                'list|ls list the branding themes' \
                'show|view|get show how the documents of a theme look' \
                'set|update change how the documents of a theme look'
        case 'branding show' 'user remove' 'report show' 'profile add' 'app remove' 'app secret' 'app token' 'webhook show' 'webhook key' 'webhook remove' 'webhook disable' 'webhook resend'
            set args \
                '-'
        case 'branding set'
            set flags \
                '--theme= the theme' \
                '--logo=file a PNG or JPEG of at most 1 MiB' \
                '--color= of the title and the rules' \
                '--bank-details= where customers pay to' \
                '--payment-advice= what customers are asked when they pay' \
                '--terms= at the foot of invoices, credit notes and quotes' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'user'
            set verbs \
                'list|ls list people who work on the books' \
                'show|view|get show one user' \
                'add let somebody sign in to the served book' \
                'role give somebody another role' \
                'password give somebody another password' \
                'remove|delete let somebody sign in no longer'
        case 'user list'
            set flags \
                '--email-address= several with commas' \
                '--first-name= several with commas' \
                '--last-name= several with commas' \
                '--organisation-role=,ORGANISATION_ROLE' \
                '--where= in the service\'s words, such as \'EmailAddress.StartsWith("A…' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--modified-since=DATE changed since' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'user show'
            set args \
                'user'
        case 'user add'
            set flags \
                '--role=adviser|standard|standard-without-reports|invoice-only|read-only what they may do' \
                '--name= how history calls them' \
                '--password-stdin read the password from standard input'
            set args \
                '-'
        case 'user role'
            set args \
                '-' \
                'adviser|standard|standard-without-reports|invoice-only|read-only'
        case 'user password'
            set flags \
                '--password-stdin read the password from standard input'
            set args \
                '-'
        case 'manual-journal'
            set verbs \
                'list|ls list journals posted by hand' \
                'show|view|get show one manual journal' \
                'create|new make a manual journal' \
                'post post a draft' \
                'void void a posted one: it is posted backwards' \
                'delete delete a draft' \
                'history what was done to a manual journal, newest first' \
                'note add a note to the history of a manual journal'
        case 'manual-journal list'
            set flags \
                '--narration= several with commas' \
                '--date=DATE or a range FROM..TO, either end open' \
                '--status=,DRAFT|POSTED|DELETED|VOIDED|ARCHIVED' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--where= in the service\'s words, such as \'Narration.StartsWith("A")\'' \
                '--order= \'FIELD [ASC|DESC], ...\'' \
                '--any-status also what is voided or deleted' \
                '--modified-since=DATE changed since' \
                '--page= one page alone, 100 records, from 1' \
                '--limit=' \
                '--all every one' \
                '--count only how many there are'
        case 'manual-journal show' 'manual-journal history'
            set args \
                'manual-journal'
        case 'manual-journal create'
            set flags \
                '--narration= what it is for' \
                '--date=DATE today when not given' \
                '--status=DRAFT|POSTED DRAFT when not given' \
                '--line-amount-types=Exclusive|Inclusive|NoTax NoTax when not given' \
                '--show-on-cash-basis-reports whether reports on cash basis count it' \
                '--no-show-on-cash-basis-reports whether reports on cash basis count it' \
                '--url=' \
                '--line=line one line: account, amount, tax, line-amount, account-code,…' \
                '--file|-f=file a whole record as JSON or XML, - for standard input' \
                '--allow-duplicate make it also where one that looks the same is there already' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'manual-journal post' 'manual-journal void' 'manual-journal delete'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'manual-journal'
        case 'manual-journal note'
            set flags \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'manual-journal' \
                '-'
        case 'journal'
            set verbs \
                'list|ls list journals of the ledger, oldest first' \
                'show|view|get show one journal with its lines'
        case 'journal list'
            set flags \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--offset= only those after this number' \
                '--payments-only cash basis: only what was paid' \
                '--modified-since= only those posted since' \
                '--limit=' \
                '--all every one'
        case 'journal show'
            set flags \
                '--payments-only by its number in the cash basis'
            set args \
                '-'
        case 'report'
            set verbs \
                'pl|profit-and-loss|p-and-l|income-statement profit and loss of a period' \
                'balance-sheet|bs what is owned and owed at the end of a month' \
                'trial-balance|tb the balance of every account at a day' \
                'aged-receivables what a customer owes, invoice by invoice' \
                'aged-payables what a supplier is owed, bill by bill' \
                'bank-summary|bank what came into and went out of the bank' \
                'budget-summary|budget what the overall budget plans' \
                'executive-summary|summary a month in some twenty figures, beside the month before' \
                '1099 what a US organisation paid to whom in a year' \
                '1099-boxes which account stands in which 1099 box' \
                'bas the activity statement of Australia' \
                'gst the goods and services tax return of New Zealand' \
                'list|ls tax returns that were published' \
                'show a tax return as it was published'
        case 'report pl'
            set flags \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--periods= how many earlier periods stand beside it' \
                '--timeframe=MONTH|QUARTER|YEAR how far apart the periods are' \
                '--tracking-category=tracking a column for each of its options' \
                '--tracking-option= only what carries this tracking option, by name or id' \
                '--standard-layout leave layouts of the organisation\'s own aside' \
                '--payments-only cash basis: only what was paid'
        case 'report balance-sheet'
            set flags \
                '--date=DATE a day of that month' \
                '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…' \
                '--periods= how many earlier periods stand beside it' \
                '--timeframe=MONTH|QUARTER|YEAR how far apart the periods are' \
                '--tracking-option= only what carries this tracking option, by name or id' \
                '--standard-layout leave layouts of the organisation\'s own aside' \
                '--payments-only cash basis: only what was paid'
        case 'report trial-balance'
            set flags \
                '--date=DATE today when not given' \
                '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…' \
                '--payments-only cash basis: only what was paid'
        case 'report aged-receivables' 'report aged-payables'
            set flags \
                '--date=DATE the day that payments count up to' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
            set args \
                'contact'
        case 'report bank-summary'
            set flags \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
        case 'report budget-summary'
            set flags \
                '--date=DATE a day of the first month' \
                '--periods= how many columns there are' \
                '--timeframe=MONTH|QUARTER|YEAR how long each of them is'
        case 'report executive-summary'
            set flags \
                '--date=DATE a day of that month' \
                '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…'
        case 'report 1099'
            set flags \
                '--year= the one before this when not given'
        case 'report 1099-boxes'
            set flags \
                '--map= put an account into a box, such as 612=NEC:1' \
                '--unmap=account take an account out of its box' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'report bas'
            set flags \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--field= what the books do not know, such as W1=5000' \
                '--publish keep it' \
                '--simpler Simpler BAS: G1, 1A and 1B alone of the tax on sales' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'report gst'
            set flags \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--field= what the books do not know, such as 13=25.00' \
                '--publish keep it' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
        case 'attachment'
            set verbs \
                'list|ls the files on a record' \
                'add put files on a record' \
                'get save the files of a record' \
                'remove take files off a record'
        case 'attachment list' 'history list'
            set flags \
                '--on=record the record, such as invoice:INV-0042'
        case 'attachment add'
            set flags \
                '--on=record the record, such as invoice:INV-0042' \
                '--name= what one file is called there, if not as it is here' \
                '--mime-type= what it is, if its name does not say so' \
                '--include-online show it to customers with the invoice online' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'file...'
        case 'attachment get'
            set flags \
                '--on=record the record, such as invoice:INV-0042' \
                '--output-file=file a file, a folder, or - for standard output' \
                '--force write over a file that is there'
            set args \
                '-...'
        case 'attachment remove'
            set flags \
                '--on=record the record, such as invoice:INV-0042' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                '-...'
        case 'history'
            set verbs \
                'list|ls what was done to a record, newest first' \
                'add|note add a note to a record'
        case 'history add'
            set flags \
                '--on=record the record, such as invoice:INV-0042' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                '-'
        case 'import'
            set verbs \
                'invoices import invoices from a CSV file' \
                'bills import bills from a CSV file' \
                'contacts import contacts from a CSV file' \
                'items import items from a CSV file' \
                'payments import payments from a CSV file'
        case 'export'
            set verbs \
                'journal|journals|ledger the ledger, for plain-text bookkeeping' \
                'invoices invoices, in the shape that is imported' \
                'bills bills, in the shape that is imported' \
                'contacts contacts, in the shape that is imported' \
                'items items, in the shape that is imported' \
                'payments payments, in the shape that is imported' \
                'credit-notes credit notes, in the shape that is imported' \
                'quotes quotes, in the shape that is imported' \
                'purchase-orders purchase orders, in the shape that is imported' \
                'accounts accounts, in the shape that is imported' \
                'tax-rates tax rates, in the shape that is imported' \
                'tracking tracking, in the shape that is imported'
        case 'export journal'
            set flags \
                '--format=hledger|beancount|csv hledger when not given' \
                '--from=DATE from this day on' \
                '--to=DATE up to this day, itself included' \
                '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…' \
                '--basis=accrual|cash accrual when not given' \
                '--output-file=file write this file, whole or not at all'
        case 'export invoices' 'export bills' 'export contacts' 'export items' 'export payments' 'export credit-notes' 'export quotes' 'export purchase-orders' 'export accounts' 'export tax-rates' 'export tracking'
            set flags \
                '--format=csv|json csv when not given' \
                '--output-file=file write this file, whole or not at all'
        case 'api'
            set flags \
                '--query|-q= a query parameter' \
                '--header|-H= a header of the request' \
                '--input=file the body, - for standard input' \
                '--paginate ask for every page, one answer after the other' \
                '--include|-i show the status and the headers of the answer first' \
                '--idempotency-key= do it once, however often the same line is run with this ke…'
            set args \
                'GET|POST|PUT|DELETE|HEAD' \
                '-'
        case 'auth'
            set verbs \
                'login sign in to a service, and keep it as a profile' \
                'logout end a sign-in, at the service and on this machine' \
                'status who is signed in where, with what, and for how long' \
                'token print an access token that counts, for other programs' \
                'refresh renew the tokens now'
        case 'auth login'
            set flags \
                '--preset=PRESET a public service: cloud' \
                '--client-id= the app to sign in with' \
                '--client-credentials sign the app itself in, with its secret, for unattended use' \
                '--client-secret-stdin read the secret from standard input (else ACCT_CLIENT_SECRE…' \
                '--scope= what to ask for, instead of the usual' \
                '--organisation= which one, by name or id, when there are several' \
                '--no-browser start no browser' \
                '--redirect-uri= where the browser comes back to' \
                '--timeout= how long to wait for the browser' \
                '--keychain keep the tokens in the keychain of the system, not in a file'
        case 'profile'
            set verbs \
                'list|ls list the profiles' \
                'add give a book or a service a name' \
                'use use a profile when nothing else is said' \
                'show what a profile stands for' \
                'remove|delete forget a profile; its book stays where it is'
        case 'profile use' 'profile show' 'profile remove'
            set args \
                'profile'
        case 'book'
            set verbs \
                'info|show what is in the book, and where it is' \
                'verify check that everything in the book adds up' \
                'set change what the books of the organisation go by' \
                'backup copy the file of the book, also while it is in use' \
                'restore put a backup in the place of the book' \
                'copy copy a book into a database, out of one, or to another file'
        case 'book set'
            set flags \
                '--period-lock-date= nothing may change on or before it' \
                '--end-of-year-lock-date= as above, for years that are closed' \
                '--legal-name= as it stands on documents' \
                '--tax-number= its number with the tax office' \
                '--registration-number= its number in the register'
        case 'book backup'
            set flags \
                '--force write over a file that is there already'
            set args \
                '-'
        case 'book restore'
            set flags \
                '--force also one that does not add up'
            set args \
                'file'
        case 'book copy'
            set args \
                '-' \
                '-'
        case 'serve'
            set flags \
                '--port= 9320 when not given' \
                '--host= on which address to listen' \
                '--no-rate-limit let every app call as often as it likes' \
                '--rate-limit= how often an app may call' \
                '--rate-limit-status=503|429 with which status a limit is told: 503 when not given, or 4…' \
                '--pkce-optional let web apps sign people in without PKCE, as older librarie…' \
                '--webhook-allow= where webhooks may go beyond https to public addresses: htt…' \
                '--log=json|text|off a line on stderr for each request' \
                '--metrics-port= figures for Prometheus at /metrics of this port' \
                '--metrics-host= on which address they are read' \
                '--drain= how long requests are still taken once the end is asked for…' \
                '--processes= how many processes of this machine answer, with --database' \
                '--chaos= faults on purpose, the same for the same seed and requests:…'
        case 'app'
            set verbs \
                'add register an app' \
                'list|ls list the apps' \
                'remove|delete remove an app; its tokens count no longer' \
                'secret give an app another secret' \
                'token print an access token for scripts on this machine'
        case 'app add'
            set flags \
                '--kind=web|pkce|machine web: people sign in, it keeps a secret' \
                '--redirect-uri= where people are sent back to when they have signed in'
            set args \
                '-'
        case 'webhook'
            set verbs \
                'add tell an address of events' \
                'list|ls list who is told of events' \
                'show show one of them' \
                'key print the key by which deliveries are signed' \
                'remove|delete tell an address of nothing any more' \
                'enable tell an address of events again' \
                'disable tell an address of nothing for a while' \
                'validate let a receiver show that it checks signatures' \
                'deliveries what was sent, to whom, and what became of it' \
                'resend send a delivery again, as it was' \
                'trigger tell of a record as if it had just changed' \
                'listen follow events here, and hand them to a program'
        case 'webhook add'
            set flags \
                '--events= of what: invoice, contact, credit-note, payment' \
                '--name= what it is called' \
                '--app= the app that it belongs to, by name or client id' \
                '--allow= where it may be sent beyond https to public addresses: http…'
            set args \
                '-'
        case 'webhook enable' 'webhook validate'
            set flags \
                '--allow= where it may be sent beyond https to public addresses: http…'
            set args \
                '-'
        case 'webhook deliveries'
            set flags \
                '--status=waiting|delivered only waiting or delivered' \
                '--limit= 50 when not given'
            set args \
                '-'
        case 'webhook trigger'
            set flags \
                '--type=create|update create or update' \
                '--webhook= only this webhook, by name, address or id'
            set args \
                'invoice|contact|credit-note|payment' \
                '-'
        case 'webhook listen'
            set flags \
                '--forward-to= where to hand them on, signed, as they would be delivered' \
                '--events= of what: invoice, contact, credit-note, payment' \
                '--signing-key= sign with this key'
        case 'completion'
            set verbs \
                'bash print the completions for bash' \
                'zsh print the completions for zsh' \
                'fish print the completions for fish' \
                'powershell print the completions for PowerShell' \
                'install put the completions where your shell looks for them'
        case 'completion install'
            set args \
                'bash|zsh|fish|powershell'
        case 'doctor'
            set flags \
                '--verify look over the whole book, as acct book verify does'
    end
end

function __acct_list --description 'Prints the values of a list'
    switch $argv[1]
        case CURRENCY
            string match -ra '\S+' -- '
                AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD
                BTN BWP BYN BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD
                EEK EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR
                ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD
                LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD
                NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
                SDG SEK SGD SHP SKK SLE SLL SOS SRD STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
                TWD TZS UAH UGX USD UYU UZS VEF VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMK ZMW ZWD'
        case DATE
            string match -ra '\S+' -- 'today yesterday tomorrow'
        case PERIOD
            string match -ra '\S+' -- '
                this-month last-month this-quarter last-quarter this-year last-year this-fy last-fy'
        case DUE_DATE_TYPE
            string match -ra '\S+' -- '
                DAYSAFTERBILLDATE DAYSAFTERBILLMONTH DAYSAFTERINVOICEDATE DAYSAFTERINVOICEMONTH
                OFCURRENTMONTH OFFOLLOWINGMONTH'
        case PAYMENT_TYPE
            string match -ra '\S+' -- '
                ACCRECPAYMENT ACCPAYPAYMENT ARCREDITPAYMENT APCREDITPAYMENT ARPREPAYMENTPAYMENT
                APPREPAYMENTPAYMENT AROVERPAYMENTPAYMENT APOVERPAYMENTPAYMENT'
        case TYPE
            string match -ra '\S+' -- '
                RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT
                SPEND-OVERPAYMENT RECEIVE-TRANSFER SPEND-TRANSFER'
        case TYPE_2
            string match -ra '\S+' -- '
                RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT
                SPEND-OVERPAYMENT'
        case TYPE_3
            string match -ra '\S+' -- '
                BANK CURRENT CURRLIAB DEPRECIATN DIRECTCOSTS EQUITY EXPENSE FIXED INVENTORY
                LIABILITY NONCURRENT OTHERINCOME OVERHEADS PREPAYMENT REVENUE SALES TERMLIAB PAYG'
        case REPORT_TAX_TYPE
            string match -ra '\S+' -- '
                AVALARA BASEXCLUDED CAPITALSALESOUTPUT CAPITALEXPENSESINPUT ECOUTPUT
                ECOUTPUTSERVICES ECINPUT ECACQUISITIONS EXEMPTEXPENSES EXEMPTINPUT EXEMPTOUTPUT
                GSTONIMPORTS INPUT INPUTTAXED MOSSSALES NONE NONEOUTPUT OUTPUT PURCHASESINPUT
                SALESOUTPUT EXEMPTCAPITAL EXEMPTEXPORT CAPITALEXINPUT GSTONCAPIMPORTS
                GSTONCAPITALIMPORTS REVERSECHARGES PAYMENTS INVOICE CASH ACCRUAL FLATRATECASH
                FLATRATEACCRUAL ACCRUALS TXCA SRCAS DSOUTPUT BLINPUT2 EPINPUT IMINPUT2 MEINPUT
                IGDSINPUT2 ESN33OUTPUT OPINPUT OSOUTPUT TXN33INPUT TXESSINPUT TXREINPUT TXPETINPUT
                NRINPUT ES33OUTPUT ZERORATEDINPUT ZERORATEDOUTPUT DRCHARGESUPPLY DRCHARGE CAPINPUT
                CAPIMPORTS IMINPUT INPUT2 CIUINPUT SRINPUT OUTPUT2 SROUTPUT CAPOUTPUT SROUTPUT2
                CIUOUTPUT ZROUTPUT ZREXPORT ACC28PLUS ACCUPTO28 OTHEROUTPUT SHOUTPUT ZRINPUT BADDEBT
                OTHERINPUT BADDEBTRELIEF IGDSINPUT3 SROVR TOURISTREFUND TXRCN33 TXRCRE TXRCESS
                TXRCTS CAPEXINPUT UNDEFINED CAPEXOUTPUT ZEROEXPOUTPUT GOODSIMPORT NONEINPUT
                NOTREPORTED SROVRRS SROVRLVG SRLVG IM IMESS IMN33 IMRE BADDEBTRECOVERY USSALESTAX
                BLINPUT3'
        case ORGANISATION_TYPE
            string match -ra '\S+' -- '
                ACCOUNTING_PRACTICE COMPANY CHARITY CLUB_OR_SOCIETY INDIVIDUAL LOOK_THROUGH_COMPANY
                NOT_FOR_PROFIT PARTNERSHIP S_CORPORATION SELF_MANAGED_SUPERANNUATION_FUND
                SOLE_TRADER SUPERANNUATION_FUND TRUST PERSONAL SINGLEMEMBERLLC CCORPORATIONLLC
                PARTNERSHIPLLC SCORPORATIONLLC LLC NOTLLC UNSPECIFIED'
        case SALES_TAX_PERIOD
            string match -ra '\S+' -- '
                MONTHLY QUARTERLY QUARTERLY1 QUARTERLY2 QUARTERLY3 YEARLY ANNUALLY ONEMONTHS
                TWOMONTHS SIXMONTHS 1MONTHLY 2MONTHLY 3MONTHLY 6MONTHLY NONE'
        case ORGANISATION_ROLE
            string match -ra '\S+' -- '
                READONLY INVOICEONLY STANDARD FINANCIALADVISER MANAGEDCLIENT CASHBOOKCLIENT UNKNOWN
                REMOVED'
        case PRESET
            string match -ra '\S+' -- 'cloud'
    end
end

set -g __acct_globals \
    '--book=file work on this book' \
    '--database= work in this PostgreSQL database' \
    '--data=file work in this folder of books, one organisation in each file' \
    '--profile=profile use this profile' \
    '--base-url= talk to this service' \
    '--tenant= of a service, a database or a folder, this organisation, by…' \
    '--demo work on a throw-away sample company, made on first use' \
    '--output|-o=table|json|xml|csv|id table, json, xml, csv, id' \
    '--columns= fields to show in tables, CSV and JSON' \
    '--dry-run check, show what would change, change nothing' \
    '--public-url= under which address others see what acct serve serves' \
    '--yes answer yes to every confirmation' \
    '--no-input never ask' \
    '--max-wait= wait so long for a service that limits calls' \
    '--verbose show requests and answers on stderr' \
    '--no-color no colour' \
    '--help|-h say what there is to know'
# <<< table

function __acct_complete --description 'Prints what may stand at the cursor'
    set -l words (commandline -opc)
    set -l acct $words[1]
    set -e words[1]
    # The word at the cursor may have a quote that is not closed yet.
    set -l word (commandline -ct | string replace -r '^(--[^=]*=)?["\']' '$1' | string replace -a '\\' '')
    set -l verbs
    set -l flags
    set -l args
    set -l at ''
    set -l takes ''
    set -l expects 0
    set -l count 1
    __acct_table
    for each in $words
        if test $expects = 1
            set expects 0
        else if string match -q -- '-?*' $each
            string match -q -- '*=*' $each; or begin
                __acct_flag $each; and set expects 1
            end
        else if __acct_verb $each
            __acct_table
        else
            set count (math $count + 1)
        end
    end

    if test $expects = 1
        __acct_value $takes "$word" ''
    else if string match -q -- '--*=*' "$word"
        set -l parts (string split -m 1 = -- "$word")
        __acct_flag $parts[1]; and __acct_value $takes "$parts[2]" "$parts[1]="
    else if string match -q -- '-*' "$word"
        __acct_describe $flags $__acct_globals
    else if set -q verbs[1]
        __acct_describe $verbs
    else if set -q args[1]
        string match -q -- '*...' $args[-1]; and test $count -gt (count $args); and set count -1
        set -q args[$count]; and __acct_value (string replace ... '' -- $args[$count]) "$word" ''
    end
end

function __acct_flag --no-scope-shadowing --description 'Sets what a flag takes, fails when that is nothing'
    for entry in (string replace -r ' .*' '' -- $flags $__acct_globals)
        set -l parts (string split -m 1 = -- $entry)
        contains -- $argv[1] (string split '|' -- $parts[1]); or continue
        set takes $parts[2]
        set -q parts[2]
        return
    end
    return 1
end

function __acct_verb --no-scope-shadowing --description 'Sets the command that a word leads to'
    for entry in (string replace -r ' .*' '' -- $verbs)
        set -l names (string split '|' -- $entry)
        contains -- $argv[1] $names; or continue
        set at (string trim "$at $names[1]")
        return 0
    end
    return 1
end

function __acct_describe --description 'Prints entries of the table as fish wants them'
    string replace -r '^([^ |=]*)[^ ]* ?' '$1\t' -- $argv
end

function __acct_value --no-scope-shadowing --description 'Prints values: what is wanted, the value so far, what stands before it'
    set -l kind $argv[1]
    set -l text $argv[2]
    set -l before $argv[3]
    if string match -q -- ',*' $kind
        set kind (string sub -s 2 -- $kind)
        set -l given (string match -r '^.*,' -- $text)
        set text (string replace -r '^.*,' '' -- $text)
        set before "$before$given"
    end
    switch $kind
        case '' -
            return
        case file
            string replace -r '^' -- $before (__fish_complete_path "$text")
        case '*|*'
            printf "$before%s\n" (string split '|' -- $kind)
        case '*'
            if string match -qr '^[A-Z]' -- $kind
                printf "$before%s\n" (__acct_list $kind)
            else
                $acct completion _values $kind "$text" -- $words "$word" </dev/null 2>/dev/null \
                    | string replace -r '^' -- "$before"
            end
    end
end

complete -c acct -f -a '(__acct_complete)'
