# Completions of acct for PowerShell.
#
# Commands, flags and fixed values are in the table; acct is asked for what is in the book.

# >>> table: written from the commands of acct by a test, see test/cli/completion.test.ts
# An entry is a word, others that mean the same after |, and after = what it takes: DRAFT|PAID is one
# of these, contact a contact of the book, file a file; a comma before it allows several, capitals
# name a list, nothing is free text.
function Get-AcctRow([string] $command) {
    switch ($command) {
        { $_ -cin '' } {
            return @{
                verbs = @(
                    'init make a book'
                    'invoice|invoices sales invoices'
                    'bill|bills purchase bills'
                    'credit-note|credit-notes credit notes, given and received'
                    'quote|quotes quotes to customers'
                    'purchase-order|purchase-orders|po orders to suppliers'
                    'repeating-invoice|repeating-invoices invoices that repeat on a schedule'
                    'linked-transaction|linked-transactions expenses that customers pay back'
                    'payment|payments payments of invoices and bills'
                    'prepayment|prepayments money paid before its invoice'
                    'overpayment|overpayments money paid beyond what was owed'
                    'bank-transaction|bank-transactions money received and spent'
                    'bank-transfer|bank-transfers money moved between bank accounts'
                    'batch-payment|batch-payments invoices or bills paid together'
                    'contact|contacts customers and suppliers'
                    'contact-group|contact-groups contacts under a name of their own'
                    'employee|employees people whom the organisation employs'
                    'item|items things bought and sold'
                    'account|accounts accounts of the chart'
                    'tax-rate|tax-rates tax rates and their components'
                    'tracking|tracking-category|tracking-categories tracking categories and their options'
                    'currency|currencies currencies and their exchange rates'
                    'budget|budgets what accounts are expected to come to, by month'
                    'organisation|organisations|organization|org the organisation whose books these are'
                    'branding|branding-theme|branding-themes how printed documents look, and what they say of paying'
                    'user|users people who work on the books'
                    'manual-journal|manual-journals journals posted by hand'
                    'journal|journals journals of the ledger'
                    'report|reports financial statements, aged balances, summaries and tax returns'
                    'attachment|attachments files on a record'
                    'history what was done to a record, and notes'
                    'import records from CSV files'
                    'export the ledger, and records to be imported'
                    'api any request, signed in'
                    'auth signing in to a service'
                    'profile|profiles books and services, by names of your own'
                    'book|books the book file itself'
                    'serve serve the book over HTTP'
                    'app|apps programs that may work on a served book'
                    'webhook|webhooks who is told of events'
                    'completion|completions completions for your shell'
                    'doctor what is configured, reachable, permitted, and what is wrong'
                )
            }
        }
        { $_ -cin 'init' } {
            return @{
                flags = @(
                    '--name= the organisation whose books these are'
                    '--country=AU|CA|GB|NZ|SG|US|ZA|GLOBAL AU, CA, GB, NZ, SG, US, ZA, GLOBAL'
                    '--currency=CURRENCY that of the country when not given'
                    '--financial-year-end= such as ''31 March'' or 03-31'
                )
            }
        }
        { $_ -cin 'invoice' } {
            return @{
                verbs = @(
                    'list|ls list sales invoices'
                    'show|view|get show one invoice'
                    'pdf save an invoice as PDF'
                    'create|new make an invoice'
                    'update|edit change an invoice'
                    'copy|duplicate make an invoice with the lines of another'
                    'submit submit invoices for approval'
                    'approve approve invoices: from now on they are owed'
                    'void void approved invoices without payments'
                    'delete delete invoices that were not approved'
                    'email email an invoice to its contact'
                    'remind email customers what is overdue'
                    'url print the address where a customer sees an invoice online'
                    'open open the page of an invoice in the browser'
                    'history what was done to an invoice, newest first'
                    'note add a note to the history of an invoice'
                    'import import invoices from a CSV file'
                )
            }
        }
        { $_ -cin 'invoice list' } {
            return @{
                flags = @(
                    '--invoice-number= several with commas'
                    '--reference= several with commas'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--due-date=DATE or a range FROM..TO, either end open'
                    '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--amount-due= or a range FROM..TO, either end open'
                    '--fully-paid-on-date=DATE or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--search= anywhere in its names and numbers'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided or deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'invoice show', 'invoice open', 'invoice history' } {
            return @{
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice pdf' } {
            return @{
                flags = @(
                    '--output-file=file where to, - for standard output'
                    '--force write over a file that is there already'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice create' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--reference= sales only'
                    '--sent-to-contact approved invoices only'
                    '--no-sent-to-contact approved invoices only'
                    '--expected-payment-date=DATE sales only'
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--interactive|-i ask for everything, also when flags are given'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'invoice update' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--reference= sales only'
                    '--sent-to-contact approved invoices only'
                    '--no-sent-to-contact approved invoices only'
                    '--expected-payment-date=DATE sales only'
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice copy' } {
            return @{
                flags = @(
                    '--contact=contact'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--reference= sales only'
                    '--sent-to-contact approved invoices only'
                    '--no-sent-to-contact approved invoices only'
                    '--expected-payment-date=DATE sales only'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice submit', 'invoice approve', 'invoice void', 'invoice delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice...'
                )
            }
        }
        { $_ -cin 'invoice email' } {
            return @{
                flags = @(
                    '--to= instead of its contact and the persons who are included in…'
                    '--cc= who gets it besides'
                    '--subject= instead of its number and your name'
                    '--message= instead of the usual words'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice remind' } {
            return @{
                flags = @(
                    '--all every invoice that is overdue'
                    '--message= instead of the usual words'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice...'
                )
            }
        }
        { $_ -cin 'invoice url' } {
            return @{
                flags = @(
                    '--revoke take the address back, so that it leads nowhere, and print…'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'invoice note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                    '-'
                )
            }
        }
        { $_ -cin 'invoice import', 'bill import', 'import invoices', 'import bills' } {
            return @{
                flags = @(
                    '--map= where a field comes from: a column, or a text with columns…'
                    '--set= the same value for every row'
                    '--mapping=file take --map, --set and the forms below from this file'
                    '--save-mapping=file keep them in this file'
                    '--date-format= how dates are written, DD/MM/YYYY'
                    '--decimal=comma|point the decimal mark'
                    '--delimiter= between cells: comma, semicolon, tab, pipe'
                    '--encoding= of the text, windows-1252 say'
                    '--create-contacts make the contacts that are new'
                    '--create-items make the items that are new'
                    '--status=DRAFT|SUBMITTED|AUTHORISED what becomes of each'
                    '--on-duplicate=skip|update|error what to do with those that exist'
                    '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…'
                    '--partial leave bad rows out of a document, and take the rest'
                    '--allow-zero take documents that charge nothing'
                    '--recreate make again what the book has as voided, deleted or reversed'
                    '--rejected=file where refused rows go'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'bill' } {
            return @{
                verbs = @(
                    'list|ls list purchase bills'
                    'show|view|get show one bill'
                    'pdf save a bill as PDF'
                    'create|new make a bill'
                    'update|edit change a bill'
                    'copy|duplicate make a bill with the lines of another'
                    'submit submit bills for approval'
                    'approve approve bills: from now on they are owed'
                    'void void approved bills without payments'
                    'delete delete bills that were not approved'
                    'history what was done to a bill, newest first'
                    'note add a note to the history of a bill'
                    'import import bills from a CSV file'
                )
            }
        }
        { $_ -cin 'bill list' } {
            return @{
                flags = @(
                    '--invoice-number= several with commas'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--due-date=DATE or a range FROM..TO, either end open'
                    '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--amount-due= or a range FROM..TO, either end open'
                    '--fully-paid-on-date=DATE or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--search= anywhere in its names and numbers'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided or deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'bill show', 'bill history' } {
            return @{
                args = @(
                    'bill'
                )
            }
        }
        { $_ -cin 'bill pdf' } {
            return @{
                flags = @(
                    '--output-file=file where to, - for standard output'
                    '--force write over a file that is there already'
                )
                args = @(
                    'bill'
                )
            }
        }
        { $_ -cin 'bill create' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--planned-payment-date=DATE bills only'
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--interactive|-i ask for everything, also when flags are given'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'bill update' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--planned-payment-date=DATE bills only'
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bill'
                )
            }
        }
        { $_ -cin 'bill copy' } {
            return @{
                flags = @(
                    '--contact=contact'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--invoice-number= generated for sales when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--planned-payment-date=DATE bills only'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bill'
                )
            }
        }
        { $_ -cin 'bill submit', 'bill approve', 'bill void', 'bill delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bill...'
                )
            }
        }
        { $_ -cin 'bill note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bill'
                    '-'
                )
            }
        }
        { $_ -cin 'credit-note' } {
            return @{
                verbs = @(
                    'list|ls list credit notes'
                    'show|view|get show one credit note'
                    'pdf save a credit note as PDF'
                    'create|new make a credit note'
                    'update|edit change a credit note'
                    'submit submit credit notes for approval'
                    'approve approve credit notes'
                    'void void approved credit notes that were not used'
                    'delete delete credit notes that were not approved'
                    'allocate apply a credit note to an invoice or a bill'
                    'unallocate take a credit note back from an invoice or a bill'
                    'refund pay a credit note back'
                    'url print the address where a customer sees a credit note online'
                    'open open the page of a credit note in the browser'
                    'history what was done to a credit note, newest first'
                    'note add a note to the history of a credit note'
                )
            }
        }
        { $_ -cin 'credit-note list' } {
            return @{
                flags = @(
                    '--type=,ACCRECCREDIT|ACCPAYCREDIT several with commas'
                    '--credit-note-number= several with commas'
                    '--reference= several with commas'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--status=,DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--remaining-credit= or a range FROM..TO, either end open'
                    '--fully-paid-on-date=DATE or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided or deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'credit-note show', 'credit-note open', 'credit-note history' } {
            return @{
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note pdf' } {
            return @{
                flags = @(
                    '--output-file=file where to, - for standard output'
                    '--force write over a file that is there already'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note create' } {
            return @{
                flags = @(
                    '--type=ACCRECCREDIT|ACCPAYCREDIT ACCRECCREDIT is to a customer, ACCPAYCREDIT from a supplier'
                    '--contact=contact who is credited, or credits, by name, number or id'
                    '--date=DATE today when not given'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--credit-note-number= generated for customers when not given'
                    '--reference= to customers only'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--sent-to-contact approved credit notes only'
                    '--no-sent-to-contact approved credit notes only'
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'credit-note update' } {
            return @{
                flags = @(
                    '--type=ACCRECCREDIT|ACCPAYCREDIT ACCRECCREDIT is to a customer, ACCPAYCREDIT from a supplier'
                    '--contact=contact who is credited, or credits, by name, number or id'
                    '--date=DATE today when not given'
                    '--status=DRAFT|SUBMITTED|AUTHORISED|DELETED|VOIDED|PAID'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--credit-note-number= generated for customers when not given'
                    '--reference= to customers only'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--sent-to-contact approved credit notes only'
                    '--no-sent-to-contact approved credit notes only'
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note submit', 'credit-note approve', 'credit-note void', 'credit-note delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note...'
                )
            }
        }
        { $_ -cin 'credit-note allocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--amount= as much as is left of the credit note and due on the invoic…'
                    '--date=DATE of a credit note'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note unallocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note refund' } {
            return @{
                flags = @(
                    '--account=account bank account, or one with payments enabled'
                    '--amount= what is left of it when not given'
                    '--date=DATE today when not given'
                    '--reference='
                    '--currency-rate= only for documents in a foreign currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note url' } {
            return @{
                flags = @(
                    '--revoke take the address back, so that it leads nowhere, and print…'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                )
            }
        }
        { $_ -cin 'credit-note note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'credit-note'
                    '-'
                )
            }
        }
        { $_ -cin 'quote' } {
            return @{
                verbs = @(
                    'list|ls list quotes to customers'
                    'show|view|get show one quote'
                    'pdf save a quote as PDF'
                    'create|new make a quote'
                    'update|edit change a quote'
                    'copy|duplicate make a quote with the lines of another'
                    'send mark quotes as sent'
                    'accept mark quotes as accepted'
                    'decline mark quotes as declined'
                    'invoice make the invoice of a quote, wholly or in part'
                    'delete delete quotes that are not invoiced'
                    'url print the address where a customer sees a quote online'
                    'open open the page of a quote in the browser'
                    'history what was done to a quote, newest first'
                    'note add a note to the history of a quote'
                )
            }
        }
        { $_ -cin 'quote list' } {
            return @{
                flags = @(
                    '--quote-number= several with commas'
                    '--contact=contact'
                    '--expiry-date=DATE or a range FROM..TO, either end open'
                    '--status=,DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'quote show', 'quote open', 'quote history' } {
            return @{
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote pdf' } {
            return @{
                flags = @(
                    '--output-file=file where to, - for standard output'
                    '--force write over a file that is there already'
                )
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote create' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--expiry-date=DATE +20d counts from --date'
                    '--title='
                    '--summary= above the lines'
                    '--terms= below the lines'
                    '--reference='
                    '--status=DRAFT|SENT DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--quote-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'quote update' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--date=DATE today when not given'
                    '--expiry-date=DATE +20d counts from --date'
                    '--title='
                    '--summary= above the lines'
                    '--terms= below the lines'
                    '--reference='
                    '--status=DRAFT|SENT|DECLINED|ACCEPTED|INVOICED|DELETED'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--quote-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote copy' } {
            return @{
                flags = @(
                    '--contact=contact'
                    '--date=DATE today when not given'
                    '--expiry-date=DATE +20d counts from --date'
                    '--title='
                    '--summary= above the lines'
                    '--terms= below the lines'
                    '--reference='
                    '--status=DRAFT|SENT DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--quote-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote send', 'quote accept', 'quote decline', 'quote delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote...'
                )
            }
        }
        { $_ -cin 'quote invoice' } {
            return @{
                flags = @(
                    '--invoice-number= generated for sales when not given'
                    '--reference= sales only'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--expected-payment-date=DATE sales only'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--line= one line by its place from 1, and how much of it'
                    '--all-lines everything that is left, as when no --line is given'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote url' } {
            return @{
                flags = @(
                    '--revoke take the address back, so that it leads nowhere, and print…'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote'
                )
            }
        }
        { $_ -cin 'quote note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'quote'
                    '-'
                )
            }
        }
        { $_ -cin 'purchase-order' } {
            return @{
                verbs = @(
                    'list|ls list orders to suppliers'
                    'show|view|get show one purchase order'
                    'pdf save a purchase order as PDF'
                    'create|new make a purchase order'
                    'copy|duplicate make a purchase order with the lines of another'
                    'update|edit change a purchase order'
                    'submit submit purchase orders for approval'
                    'approve approve purchase orders'
                    'bill make the bill of a purchase order, wholly or in part'
                    'delete delete purchase orders; their numbers stay taken'
                    'history what was done to a purchase order, newest first'
                    'note add a note to the history of a purchase order'
                )
            }
        }
        { $_ -cin 'purchase-order list' } {
            return @{
                flags = @(
                    '--status=,DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'purchase-order show', 'purchase-order history' } {
            return @{
                args = @(
                    'purchase-order'
                )
            }
        }
        { $_ -cin 'purchase-order pdf' } {
            return @{
                flags = @(
                    '--output-file=file where to, - for standard output'
                    '--force write over a file that is there already'
                )
                args = @(
                    'purchase-order'
                )
            }
        }
        { $_ -cin 'purchase-order create' } {
            return @{
                flags = @(
                    '--contact=contact the supplier, by name, number or id'
                    '--date=DATE today when not given'
                    '--delivery-date=DATE +20d counts from --date'
                    '--expected-arrival-date=DATE +20d counts from --date'
                    '--reference='
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--purchase-order-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--sent-to-contact approved and billed orders only'
                    '--no-sent-to-contact approved and billed orders only'
                    '--delivery-address= where the goods go, in lines'
                    '--attention-to= who takes them there'
                    '--telephone= of whoever takes them'
                    '--delivery-instructions='
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'purchase-order copy' } {
            return @{
                flags = @(
                    '--contact=contact'
                    '--date=DATE today when not given'
                    '--delivery-date=DATE +20d counts from --date'
                    '--expected-arrival-date=DATE +20d counts from --date'
                    '--reference='
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--purchase-order-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--sent-to-contact approved and billed orders only'
                    '--no-sent-to-contact approved and billed orders only'
                    '--delivery-address= where the goods go, in lines'
                    '--attention-to= who takes them there'
                    '--telephone= of whoever takes them'
                    '--delivery-instructions='
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'purchase-order'
                )
            }
        }
        { $_ -cin 'purchase-order update' } {
            return @{
                flags = @(
                    '--contact=contact the supplier, by name, number or id'
                    '--date=DATE today when not given'
                    '--delivery-date=DATE +20d counts from --date'
                    '--expected-arrival-date=DATE +20d counts from --date'
                    '--reference='
                    '--status=DRAFT|SUBMITTED|AUTHORISED|BILLED|DELETED'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--purchase-order-number= generated when not given'
                    '--currency-code=CURRENCY'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--sent-to-contact approved and billed orders only'
                    '--no-sent-to-contact approved and billed orders only'
                    '--delivery-address= where the goods go, in lines'
                    '--attention-to= who takes them there'
                    '--telephone= of whoever takes them'
                    '--delivery-instructions='
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'purchase-order'
                )
            }
        }
        { $_ -cin 'purchase-order submit', 'purchase-order approve', 'purchase-order delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'purchase-order...'
                )
            }
        }
        { $_ -cin 'purchase-order bill' } {
            return @{
                flags = @(
                    '--invoice-number= generated for sales when not given'
                    '--date=DATE today when not given'
                    '--due-date=DATE +20d counts from --date'
                    '--status=DRAFT|SUBMITTED|AUTHORISED DRAFT when not given'
                    '--planned-payment-date=DATE bills only'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--branding-theme-id='
                    '--url= link to a source document'
                    '--line= one line by its place from 1, and how much of it'
                    '--all-lines everything that is left, as when no --line is given'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'purchase-order'
                )
            }
        }
        { $_ -cin 'purchase-order note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'purchase-order'
                    '-'
                )
            }
        }
        { $_ -cin 'repeating-invoice' } {
            return @{
                verbs = @(
                    'list|ls list invoices that repeat on a schedule'
                    'show|view|get show one repeating invoice'
                    'create|new make a repeating invoice'
                    'update|edit change a repeating invoice'
                    'delete delete templates; their invoices stay'
                    'run make the invoices that are due'
                    'history what was done to a repeating invoice, newest first'
                    'note add a note to the history of a repeating invoice'
                )
            }
        }
        { $_ -cin 'repeating-invoice list' } {
            return @{
                flags = @(
                    '--contact=contact'
                    '--reference= several with commas'
                    '--status=,DRAFT|AUTHORISED|DELETED several with commas'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'repeating-invoice show', 'repeating-invoice history' } {
            return @{
                args = @(
                    'repeating-invoice'
                )
            }
        }
        { $_ -cin 'repeating-invoice create' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--reference= [Week], [Month], [Month-1] and [Year] stand for those of th…'
                    '--status=DRAFT|AUTHORISED AUTHORISED makes approved invoices, DRAFT makes drafts'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--currency-code=CURRENCY'
                    '--branding-theme-id='
                    '--approved-for-sending email each invoice when it is made'
                    '--no-approved-for-sending email each invoice when it is made'
                    '--send-copy send a copy to yourself'
                    '--no-send-copy send a copy to yourself'
                    '--mark-as-sent mark each invoice as sent'
                    '--no-mark-as-sent mark each invoice as sent'
                    '--include-pdf attach the invoice as PDF'
                    '--no-include-pdf attach the invoice as PDF'
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--every= weeks or months from one to the next'
                    '--unit=WEEKLY|MONTHLY'
                    '--start-date=DATE of the first'
                    '--end-date=DATE no invoice is made after it'
                    '--due-date= days, or a day of the month'
                    '--due-date-type=DUE_DATE_TYPE'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'repeating-invoice update' } {
            return @{
                flags = @(
                    '--contact=contact who it is for, by name, number or id'
                    '--reference= [Week], [Month], [Month-1] and [Year] stand for those of th…'
                    '--status=DRAFT|AUTHORISED|DELETED AUTHORISED makes approved invoices, DRAFT makes drafts'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Exclusive when not given'
                    '--currency-code=CURRENCY'
                    '--branding-theme-id='
                    '--approved-for-sending email each invoice when it is made'
                    '--no-approved-for-sending email each invoice when it is made'
                    '--send-copy send a copy to yourself'
                    '--no-send-copy send a copy to yourself'
                    '--mark-as-sent mark each invoice as sent'
                    '--no-mark-as-sent mark each invoice as sent'
                    '--include-pdf attach the invoice as PDF'
                    '--no-include-pdf attach the invoice as PDF'
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--every= weeks or months from one to the next'
                    '--unit=WEEKLY|MONTHLY'
                    '--start-date=DATE of the first'
                    '--end-date=DATE no invoice is made after it'
                    '--due-date= days, or a day of the month'
                    '--due-date-type=DUE_DATE_TYPE'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'repeating-invoice'
                )
            }
        }
        { $_ -cin 'repeating-invoice delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'repeating-invoice...'
                )
            }
        }
        { $_ -cin 'repeating-invoice run' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'repeating-invoice note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'repeating-invoice'
                    '-'
                )
            }
        }
        { $_ -cin 'linked-transaction' } {
            return @{
                verbs = @(
                    'list|ls list expenses that customers pay back'
                    'show|view|get show one linked transaction'
                    'create|new have the line of a bill paid back by a customer'
                    'delete delete a linked transaction'
                )
            }
        }
        { $_ -cin 'linked-transaction list' } {
            return @{
                flags = @(
                    '--source-transaction-id= several with commas'
                    '--contact-id= several with commas'
                    '--target-transaction-id= several with commas'
                    '--status=,DRAFT|APPROVED|ONDRAFT|BILLED|VOIDED'
                    '--any-status also what is voided'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'linked-transaction show' } {
            return @{
                args = @(
                    'linked-transaction'
                )
            }
        }
        { $_ -cin 'linked-transaction create' } {
            return @{
                flags = @(
                    '--bill=bill the bill, by number or id'
                    '--bill-line= its line, from 1'
                    '--contact=contact the customer'
                    '--invoice=invoice the invoice that bills it'
                    '--invoice-line= its line, from 1'
                    '--source-transaction-id= instead of --bill, such as spent money'
                    '--source-line-item-id= instead of --bill-line'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'linked-transaction delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'linked-transaction'
                )
            }
        }
        { $_ -cin 'payment' } {
            return @{
                verbs = @(
                    'list|ls list payments of invoices and bills'
                    'show|view|get show one payment'
                    'apply pay an invoice or a bill'
                    'reverse|delete take a payment back'
                    'import import payments from a CSV file'
                )
            }
        }
        { $_ -cin 'payment list' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--credit-note='
                    '--prepayment=prepayment'
                    '--overpayment=overpayment'
                    '--account=account'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--amount= or a range FROM..TO, either end open'
                    '--reference= several with commas'
                    '--status=,AUTHORISED|DELETED several with commas'
                    '--payment-type=,PAYMENT_TYPE'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Amount>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'payment show' } {
            return @{
                args = @(
                    'payment'
                )
            }
        }
        { $_ -cin 'payment apply' } {
            return @{
                flags = @(
                    '--account=account bank account, or one with payments enabled'
                    '--amount= what is due when not given'
                    '--date=DATE today when not given'
                    '--reference='
                    '--currency-rate= only for documents in a foreign currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'invoice'
                )
            }
        }
        { $_ -cin 'payment reverse' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'payment'
                )
            }
        }
        { $_ -cin 'payment import', 'import payments' } {
            return @{
                flags = @(
                    '--map= where a field comes from: a column, or a text with columns…'
                    '--set= the same value for every row'
                    '--mapping=file take --map, --set and the forms below from this file'
                    '--save-mapping=file keep them in this file'
                    '--date-format= how dates are written, DD/MM/YYYY'
                    '--decimal=comma|point the decimal mark'
                    '--delimiter= between cells: comma, semicolon, tab, pipe'
                    '--encoding= of the text, windows-1252 say'
                    '--on-duplicate=skip|error what to do with those that exist'
                    '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…'
                    '--recreate make again what the book has as voided, deleted or reversed'
                    '--rejected=file where refused rows go'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'prepayment' } {
            return @{
                verbs = @(
                    'list|ls list money paid before its invoice'
                    'show|view|get show one prepayment'
                    'allocate apply a prepayment to an invoice or a bill'
                    'unallocate take a prepayment back from an invoice or a bill'
                    'refund pay a prepayment back'
                    'void take back a prepayment that never was'
                    'history what was done to a prepayment, newest first'
                    'note add a note to the history of a prepayment'
                )
            }
        }
        { $_ -cin 'prepayment list' } {
            return @{
                flags = @(
                    '--type=,RECEIVE-PREPAYMENT|SPEND-PREPAYMENT'
                    '--reference= several with commas'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--status=,AUTHORISED|PAID|VOIDED several with commas'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--remaining-credit= or a range FROM..TO, either end open'
                    '--fully-paid-on-date=DATE or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'prepayment show', 'prepayment history' } {
            return @{
                args = @(
                    'prepayment'
                )
            }
        }
        { $_ -cin 'prepayment allocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--amount= as much as is left of the prepayment and due on the invoice…'
                    '--date=DATE of a credit note'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'prepayment'
                )
            }
        }
        { $_ -cin 'prepayment unallocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'prepayment'
                )
            }
        }
        { $_ -cin 'prepayment refund' } {
            return @{
                flags = @(
                    '--account=account bank account, or one with payments enabled'
                    '--amount= what is left of it when not given'
                    '--date=DATE today when not given'
                    '--reference='
                    '--currency-rate= only for documents in a foreign currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'prepayment'
                )
            }
        }
        { $_ -cin 'prepayment void' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'prepayment...'
                )
            }
        }
        { $_ -cin 'prepayment note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'prepayment'
                    '-'
                )
            }
        }
        { $_ -cin 'overpayment' } {
            return @{
                verbs = @(
                    'list|ls list money paid beyond what was owed'
                    'show|view|get show one overpayment'
                    'allocate apply an overpayment to an invoice or a bill'
                    'unallocate take an overpayment back from an invoice or a bill'
                    'refund pay an overpayment back'
                    'void take back an overpayment that never was'
                    'history what was done to an overpayment, newest first'
                    'note add a note to the history of an overpayment'
                )
            }
        }
        { $_ -cin 'overpayment list' } {
            return @{
                flags = @(
                    '--type=,RECEIVE-OVERPAYMENT|SPEND-OVERPAYMENT'
                    '--reference= several with commas'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--status=,AUTHORISED|PAID|VOIDED several with commas'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--remaining-credit= or a range FROM..TO, either end open'
                    '--fully-paid-on-date=DATE or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'overpayment show', 'overpayment history' } {
            return @{
                args = @(
                    'overpayment'
                )
            }
        }
        { $_ -cin 'overpayment allocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--amount= as much as is left of the overpayment and due on the invoic…'
                    '--date=DATE of a credit note'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'overpayment'
                )
            }
        }
        { $_ -cin 'overpayment unallocate' } {
            return @{
                flags = @(
                    '--invoice=invoice'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'overpayment'
                )
            }
        }
        { $_ -cin 'overpayment refund' } {
            return @{
                flags = @(
                    '--account=account bank account, or one with payments enabled'
                    '--amount= what is left of it when not given'
                    '--date=DATE today when not given'
                    '--reference='
                    '--currency-rate= only for documents in a foreign currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'overpayment'
                )
            }
        }
        { $_ -cin 'overpayment void' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'overpayment...'
                )
            }
        }
        { $_ -cin 'overpayment note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'overpayment'
                    '-'
                )
            }
        }
        { $_ -cin 'bank-transaction' } {
            return @{
                verbs = @(
                    'list|ls list money received and spent'
                    'show|view|get show one bank transaction'
                    'create|new make a bank transaction'
                    'update|edit change a bank transaction'
                    'void take back money received or spent'
                    'history what was done to a bank transaction, newest first'
                    'note add a note to the history of a bank transaction'
                )
            }
        }
        { $_ -cin 'bank-transaction list' } {
            return @{
                flags = @(
                    '--type=,TYPE'
                    '--bank-account=account'
                    '--contact=contact'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--reference= several with commas'
                    '--status=,AUTHORISED|DELETED|VOIDED several with commas'
                    '--total= or a range FROM..TO, either end open'
                    '--currency-code=,CURRENCY'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Total>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided or deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'bank-transaction show', 'bank-transaction history' } {
            return @{
                args = @(
                    'bank-transaction'
                )
            }
        }
        { $_ -cin 'bank-transaction create' } {
            return @{
                flags = @(
                    '--type=TYPE_2 RECEIVE is money in, SPEND is money out'
                    '--bank-account=account an account of type BANK'
                    '--contact=contact who paid, or was paid, by name, number or id'
                    '--date=DATE today when not given'
                    '--reference= not of prepayments'
                    '--invoice-number= of a prepayment: the invoice it is for, which it shows as i…'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Inclusive when not given'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--url= link to a source document'
                    '--line=line one line: account, amount, discount, item, tax, description…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'bank-transaction update' } {
            return @{
                flags = @(
                    '--bank-account=account an account of type BANK'
                    '--contact=contact who paid, or was paid, by name, number or id'
                    '--date=DATE today when not given'
                    '--reference= not of prepayments'
                    '--invoice-number= of a prepayment: the invoice it is for, which it shows as i…'
                    '--line-amount-types=Exclusive|Inclusive|NoTax Inclusive when not given'
                    '--currency-rate= foreign units for one unit of the base currency'
                    '--is-reconciled'
                    '--no-is-reconciled'
                    '--url= link to a source document'
                    '--line=line instead of all its lines'
                    '--add-line=line besides the lines it has'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bank-transaction'
                )
            }
        }
        { $_ -cin 'bank-transaction void' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bank-transaction...'
                )
            }
        }
        { $_ -cin 'bank-transaction note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bank-transaction'
                    '-'
                )
            }
        }
        { $_ -cin 'bank-transfer' } {
            return @{
                verbs = @(
                    'list|ls list money moved between bank accounts'
                    'show|view|get show one bank transfer'
                    'create|new move money between bank accounts'
                    'void take bank transfers back'
                    'history what was done to a bank transfer, newest first'
                    'note add a note to the history of a bank transfer'
                )
            }
        }
        { $_ -cin 'bank-transfer list' } {
            return @{
                flags = @(
                    '--from-bank-account=account'
                    '--to-bank-account=account'
                    '--amount= or a range FROM..TO, either end open'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--reference= several with commas'
                    '--status=,AUTHORISED|DELETED several with commas'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Amount>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'bank-transfer show', 'bank-transfer history' } {
            return @{
                args = @(
                    'bank-transfer'
                )
            }
        }
        { $_ -cin 'bank-transfer create' } {
            return @{
                flags = @(
                    '--from=account the bank account that the money leaves'
                    '--to=account the bank account that the money comes to'
                    '--amount= in the currency of the first account'
                    '--date=DATE today when not given'
                    '--reference='
                    '--from-is-reconciled'
                    '--no-from-is-reconciled'
                    '--to-is-reconciled'
                    '--no-to-is-reconciled'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'bank-transfer void' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bank-transfer...'
                )
            }
        }
        { $_ -cin 'bank-transfer note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'bank-transfer'
                    '-'
                )
            }
        }
        { $_ -cin 'batch-payment' } {
            return @{
                verbs = @(
                    'list|ls list invoices or bills paid together'
                    'show|view|get show one batch payment'
                    'create|new pay several invoices, or several bills'
                    'reverse|delete take every payment of a batch back'
                    'history what was done to a batch payment, newest first'
                )
            }
        }
        { $_ -cin 'batch-payment list' } {
            return @{
                flags = @(
                    '--account=account'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--reference= several with commas'
                    '--type=,PAYBATCH|RECBATCH several with commas'
                    '--status=,AUTHORISED|DELETED several with commas'
                    '--total-amount= or a range FROM..TO, either end open'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''TotalAmount>=100'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'batch-payment show', 'batch-payment history' } {
            return @{
                args = @(
                    'batch-payment'
                )
            }
        }
        { $_ -cin 'batch-payment create' } {
            return @{
                flags = @(
                    '--account=account bank account, or one with payments enabled'
                    '--date=DATE today when not given'
                    '--reference='
                    '--particulars= New Zealand only'
                    '--code= New Zealand only'
                    '--details= for the bank'
                    '--narrative= for the statement line'
                    '--pay= an invoice or a bill, and what is paid of it'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'batch-payment reverse' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'batch-payment'
                )
            }
        }
        { $_ -cin 'contact' } {
            return @{
                verbs = @(
                    'list|ls list customers and suppliers'
                    'show|view|get show one contact'
                    'create|new make a contact'
                    'update|edit change a contact'
                    'archive put contacts out of use; their records stay'
                    'restore|unarchive take archived contacts back into use'
                    'cis show or set whether tax is deducted from a contact'
                    'history what was done to a contact, newest first'
                    'note add a note to the history of a contact'
                    'import import contacts from a CSV file'
                )
            }
        }
        { $_ -cin 'contact list' } {
            return @{
                flags = @(
                    '--contact-number= several with commas'
                    '--status=,ACTIVE|ARCHIVED|GDPRREQUEST several with commas'
                    '--name= several with commas'
                    '--email-address= several with commas'
                    '--search= anywhere in its names and numbers'
                    '--where= in the service''s words, such as ''ContactNumber.StartsWith("…'
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'contact show', 'contact history' } {
            return @{
                args = @(
                    'contact'
                )
            }
        }
        { $_ -cin 'contact create' } {
            return @{
                flags = @(
                    '--name= unique among active contacts'
                    '--contact-number= your own key for the contact, unique'
                    '--account-number='
                    '--email-address='
                    '--first-name='
                    '--last-name='
                    '--company-number='
                    '--tax-number='
                    '--tax-number-type=SSN|EIN|ITIN|ATIN'
                    '--bank-account-details='
                    '--default-currency=CURRENCY'
                    '--accounts-receivable-tax-type=tax-rate'
                    '--accounts-payable-tax-type=tax-rate'
                    '--sales-default-account-code=account'
                    '--purchases-default-account-code=account'
                    '--phone= its telephone'
                    '--mobile= its mobile telephone'
                    '--address= where it is: street, line2, city, region, postcode, country'
                    '--postal-address= where its post goes'
                    '--person= somebody there: first-name, last-name, email, include-in-em…'
                    '--sales-terms= when its invoices fall due, such as "20 days"'
                    '--bill-terms= when its bills fall due'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'contact update' } {
            return @{
                flags = @(
                    '--name= unique among active contacts'
                    '--contact-number= your own key for the contact, unique'
                    '--account-number='
                    '--email-address='
                    '--first-name='
                    '--last-name='
                    '--company-number='
                    '--tax-number='
                    '--tax-number-type=SSN|EIN|ITIN|ATIN'
                    '--bank-account-details='
                    '--default-currency=CURRENCY'
                    '--accounts-receivable-tax-type=tax-rate'
                    '--accounts-payable-tax-type=tax-rate'
                    '--sales-default-account-code=account'
                    '--purchases-default-account-code=account'
                    '--phone= its telephone'
                    '--mobile= its mobile telephone'
                    '--address= where it is: street, line2, city, region, postcode, country'
                    '--postal-address= where its post goes'
                    '--person= somebody there: first-name, last-name, email, include-in-em…'
                    '--sales-terms= when its invoices fall due, such as "20 days"'
                    '--bill-terms= when its bills fall due'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact'
                )
            }
        }
        { $_ -cin 'contact archive', 'contact restore' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact...'
                )
            }
        }
        { $_ -cin 'contact cis' } {
            return @{
                flags = @(
                    '--enabled the construction scheme applies to it'
                    '--no-enabled the construction scheme applies to it'
                    '--rate= percent that is deducted: 0, 20 or 30'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact'
                )
            }
        }
        { $_ -cin 'contact note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact'
                    '-'
                )
            }
        }
        { $_ -cin 'contact import', 'item import', 'import contacts', 'import items' } {
            return @{
                flags = @(
                    '--map= where a field comes from: a column, or a text with columns…'
                    '--set= the same value for every row'
                    '--mapping=file take --map, --set and the forms below from this file'
                    '--save-mapping=file keep them in this file'
                    '--date-format= how dates are written, DD/MM/YYYY'
                    '--decimal=comma|point the decimal mark'
                    '--delimiter= between cells: comma, semicolon, tab, pipe'
                    '--encoding= of the text, windows-1252 say'
                    '--on-duplicate=skip|update|error what to do with those that exist'
                    '--on-error=stop|skip with a bad row: change nothing (stop, the default), or leav…'
                    '--rejected=file where refused rows go'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'contact-group' } {
            return @{
                verbs = @(
                    'list|ls list contacts under a name of their own'
                    'show|view|get show one contact-group'
                    'create|new make a contact group'
                    'update|edit rename a contact group'
                    'delete delete a contact group; its contacts stay'
                    'add add contacts to a group'
                    'remove take contacts out of a group'
                )
            }
        }
        { $_ -cin 'contact-group list' } {
            return @{
                flags = @(
                    '--name= several with commas'
                    '--status=,ACTIVE|DELETED several with commas'
                    '--where= in the service''s words, such as ''Name.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'contact-group show' } {
            return @{
                args = @(
                    'contact-group'
                )
            }
        }
        { $_ -cin 'contact-group create' } {
            return @{
                flags = @(
                    '--name='
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'contact-group update' } {
            return @{
                flags = @(
                    '--name='
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact-group'
                )
            }
        }
        { $_ -cin 'contact-group delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact-group'
                )
            }
        }
        { $_ -cin 'contact-group add', 'contact-group remove' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'contact-group'
                    'contact...'
                )
            }
        }
        { $_ -cin 'employee' } {
            return @{
                verbs = @(
                    'list|ls list people whom the organisation employs'
                    'show|view|get show one employee'
                    'create|new add an employee'
                    'update|edit change an employee'
                )
            }
        }
        { $_ -cin 'employee list' } {
            return @{
                flags = @(
                    '--status=,ACTIVE|ARCHIVED|GDPRREQUEST|DELETED'
                    '--first-name= several with commas'
                    '--last-name= several with commas'
                    '--where= in the service''s words, such as ''FirstName.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'employee show' } {
            return @{
                args = @(
                    'employee'
                )
            }
        }
        { $_ -cin 'employee create' } {
            return @{
                flags = @(
                    '--first-name='
                    '--last-name='
                    '--url= a page about them elsewhere'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'employee update' } {
            return @{
                flags = @(
                    '--first-name='
                    '--last-name='
                    '--status=ACTIVE|ARCHIVED|GDPRREQUEST|DELETED'
                    '--url= a page about them elsewhere'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'employee'
                )
            }
        }
        { $_ -cin 'item' } {
            return @{
                verbs = @(
                    'list|ls list things bought and sold'
                    'show|view|get show one item'
                    'create|new make an item'
                    'update|edit change an item'
                    'delete delete an item'
                    'history what was done to an item, newest first'
                    'note add a note to the history of an item'
                    'import import items from a CSV file'
                )
            }
        }
        { $_ -cin 'item list' } {
            return @{
                flags = @(
                    '--code= several with commas'
                    '--name= several with commas'
                    '--is-sold'
                    '--no-is-sold'
                    '--is-purchased'
                    '--no-is-purchased'
                    '--where= in the service''s words, such as ''Code.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--modified-since=DATE changed since'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'item show', 'item history' } {
            return @{
                args = @(
                    'item'
                )
            }
        }
        { $_ -cin 'item create' } {
            return @{
                flags = @(
                    '--code='
                    '--name='
                    '--description= as it stands on sales'
                    '--purchase-description='
                    '--is-sold true when not given'
                    '--no-is-sold true when not given'
                    '--is-purchased true when not given'
                    '--no-is-purchased true when not given'
                    '--inventory-asset-account-code=account makes the item tracked'
                    '--unit-price= what it sells for'
                    '--sales-account= where sales of it are booked'
                    '--sales-tax= tax rate of its sales'
                    '--purchase-price= what it is bought for'
                    '--purchase-account= where purchases are booked'
                    '--purchase-tax= tax rate of its purchases'
                    '--cogs-account= cost of goods sold'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'item update' } {
            return @{
                flags = @(
                    '--code='
                    '--name='
                    '--description= as it stands on sales'
                    '--purchase-description='
                    '--is-sold true when not given'
                    '--no-is-sold true when not given'
                    '--is-purchased true when not given'
                    '--no-is-purchased true when not given'
                    '--inventory-asset-account-code=account makes the item tracked'
                    '--unit-price= what it sells for'
                    '--sales-account= where sales of it are booked'
                    '--sales-tax= tax rate of its sales'
                    '--purchase-price= what it is bought for'
                    '--purchase-account= where purchases are booked'
                    '--purchase-tax= tax rate of its purchases'
                    '--cogs-account= cost of goods sold'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'item'
                )
            }
        }
        { $_ -cin 'item delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'item'
                )
            }
        }
        { $_ -cin 'item note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'item'
                    '-'
                )
            }
        }
        { $_ -cin 'account' } {
            return @{
                verbs = @(
                    'list|ls list accounts of the chart'
                    'show|view|get show one account'
                    'create|new add an account to the chart'
                    'update|edit change an account'
                    'archive put accounts out of use; their postings stay'
                    'restore|unarchive take archived accounts back into use'
                    'delete delete an account'
                )
            }
        }
        { $_ -cin 'account list' } {
            return @{
                flags = @(
                    '--code= several with commas'
                    '--name= several with commas'
                    '--status=,ACTIVE|ARCHIVED|DELETED several with commas'
                    '--type=,TYPE_3'
                    '--class=,ASSET|LIABILITY|EQUITY|REVENUE|EXPENSE'
                    '--where= in the service''s words, such as ''Code.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--modified-since=DATE changed since'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'account show' } {
            return @{
                args = @(
                    'account'
                )
            }
        }
        { $_ -cin 'account create' } {
            return @{
                flags = @(
                    '--code= short code, unique'
                    '--name='
                    '--type=TYPE_3'
                    '--tax-type=tax-rate tax used on lines that name none'
                    '--description='
                    '--bank-account-number= needed for type BANK'
                    '--bank-account-type=BANK|CREDITCARD|PAYPAL|NONE'
                    '--currency-code=CURRENCY bank accounts only'
                    '--enable-payments-to-account'
                    '--no-enable-payments-to-account'
                    '--show-in-expense-claims'
                    '--no-show-in-expense-claims'
                    '--add-to-watchlist'
                    '--no-add-to-watchlist'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'account update' } {
            return @{
                flags = @(
                    '--code= short code, unique'
                    '--name='
                    '--type=TYPE_3'
                    '--tax-type=tax-rate tax used on lines that name none'
                    '--description='
                    '--bank-account-number= needed for type BANK'
                    '--bank-account-type=BANK|CREDITCARD|PAYPAL|NONE'
                    '--currency-code=CURRENCY bank accounts only'
                    '--enable-payments-to-account'
                    '--no-enable-payments-to-account'
                    '--show-in-expense-claims'
                    '--no-show-in-expense-claims'
                    '--add-to-watchlist'
                    '--no-add-to-watchlist'
                    '--status=ACTIVE|ARCHIVED'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'account'
                )
            }
        }
        { $_ -cin 'account archive', 'account restore' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'account...'
                )
            }
        }
        { $_ -cin 'account delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'account'
                )
            }
        }
        { $_ -cin 'tax-rate' } {
            return @{
                verbs = @(
                    'list|ls list tax rates and their components'
                    'show|view|get show one tax-rate'
                    'create|new make a tax rate'
                    'update|edit change a tax rate'
                    'delete delete a tax rate'
                )
            }
        }
        { $_ -cin 'tax-rate list' } {
            return @{
                flags = @(
                    '--name= several with commas'
                    '--tax-type=,tax-rate several with commas'
                    '--status=,ACTIVE|DELETED|ARCHIVED|PENDING several with commas'
                    '--where= in the service''s words, such as ''Name.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'tax-rate show' } {
            return @{
                args = @(
                    'tax-rate'
                )
            }
        }
        { $_ -cin 'tax-rate create' } {
            return @{
                flags = @(
                    '--name='
                    '--report-tax-type=REPORT_TAX_TYPE needed on create in AU, NZ and the UK'
                    '--component= one part of the rate: name, rate in percent, compound, non-…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'tax-rate update' } {
            return @{
                flags = @(
                    '--name='
                    '--report-tax-type=REPORT_TAX_TYPE needed on create in AU, NZ and the UK'
                    '--component= one part of the rate: name, rate in percent, compound, non-…'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'tax-rate'
                )
            }
        }
        { $_ -cin 'tax-rate delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'tax-rate'
                )
            }
        }
        { $_ -cin 'tracking' } {
            return @{
                verbs = @(
                    'list|ls list tracking categories and their options'
                    'show|view|get show one tracking'
                    'create|new make a tracking category'
                    'update|edit rename a tracking category, or archive it'
                    'delete delete a tracking'
                    'option|options options of a tracking category'
                )
            }
        }
        { $_ -cin 'tracking list' } {
            return @{
                flags = @(
                    '--name= several with commas'
                    '--status=,ACTIVE|ARCHIVED|DELETED several with commas'
                    '--where= in the service''s words, such as ''Name.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is deleted'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'tracking show' } {
            return @{
                args = @(
                    'tracking'
                )
            }
        }
        { $_ -cin 'tracking create' } {
            return @{
                flags = @(
                    '--name='
                    '--option= an option of it'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'tracking update' } {
            return @{
                flags = @(
                    '--name='
                    '--status=ACTIVE|ARCHIVED ACTIVE when not given'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'tracking'
                )
            }
        }
        { $_ -cin 'tracking delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'tracking'
                )
            }
        }
        { $_ -cin 'tracking option' } {
            return @{
                verbs = @(
                    'add add options to a tracking category'
                    'remove|delete take an option out of use; used ones are archived'
                )
            }
        }
        { $_ -cin 'tracking option add', 'tracking option remove' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'tracking'
                    '-'
                )
            }
        }
        { $_ -cin 'currency' } {
            return @{
                verbs = @(
                    'list|ls list currencies and their exchange rates'
                    'show|view|get show one currency'
                    'add|create|new keep books in another currency too'
                    'rate say what a currency is worth, or show what it was'
                    'rates take rates from a CSV file'
                )
            }
        }
        { $_ -cin 'currency list' } {
            return @{
                flags = @(
                    '--code=,CURRENCY'
                    '--description= several with commas'
                    '--where= in the service''s words, such as ''Description.StartsWith("A"…'
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'currency show' } {
            return @{
                args = @(
                    'currency'
                )
            }
        }
        { $_ -cin 'currency add' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'currency rate' } {
            return @{
                flags = @(
                    '--date=DATE from this day on'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'currency'
                    '-'
                )
            }
        }
        { $_ -cin 'currency rates' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'budget' } {
            return @{
                verbs = @(
                    'list|ls list what accounts are expected to come to, by month'
                    'show|view|get show a budget'
                    'create|new make a budget'
                    'import take a budget from a CSV file'
                )
            }
        }
        { $_ -cin 'budget list' } {
            return @{
                flags = @(
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'budget show' } {
            return @{
                flags = @(
                    '--from=DATE first month'
                    '--to=DATE last month, at most 24 in all'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'budget create' } {
            return @{
                flags = @(
                    '--description='
                    '--type=OVERALL|TRACKING OVERALL when not given'
                    '--tracking=tracking the option that it is for'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'budget import' } {
            return @{
                flags = @(
                    '--to= into this one'
                    '--description= what the overall budget is called when it is made'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'organisation' } {
            return @{
                verbs = @(
                    'show|view|get|list show the organisation'
                    'update|edit change what the organisation is called and goes by'
                    'history what was changed of it, newest first'
                    'actions list what may be done in it'
                    'cis show or set how it takes part in the construction scheme'
                )
            }
        }
        { $_ -cin 'organisation update' } {
            return @{
                flags = @(
                    '--name='
                    '--legal-name= as it stands on documents'
                    '--organisation-type=ORGANISATION_TYPE what kind of body it is'
                    '--line-of-business= what it does'
                    '--tax-number= its number with the tax office'
                    '--registration-number= its number in the register of companies'
                    '--employer-identification-number= United States only'
                    '--pays-tax registered for tax: lines take the rate of their account'
                    '--no-pays-tax registered for tax: lines take the rate of their account'
                    '--sales-tax-basis=PAYMENTS|INVOICE|CASH|ACCRUAL|ACCRUALS|FLATRATECASH|FLATRATEACCRUAL|NONE when tax is owed'
                    '--sales-tax-period=SALES_TAX_PERIOD how often a return is made'
                    '--timezone= whose day it is: NEWZEALANDSTANDARDTIME, Pacific/Auckland'
                    '--default-sales-tax=exclusive|inclusive|none|previous how amounts of sales are entered'
                    '--default-purchases-tax=exclusive|inclusive|none|previous how amounts of purchases are entered'
                    '--financial-year-end= such as ''31 March'' or 03-31'
                    '--period-lock-date= nothing may change on or before it'
                    '--end-of-year-lock-date= as above, for years that are closed'
                    '--address= where it is: street, line2, city, region, postcode, country'
                    '--postal-address= where its post goes, and what documents say'
                    '--phone= its telephone'
                    '--mobile= its mobile telephone'
                    '--website= its address on the web'
                    '--sales-terms= when invoices fall due, such as "20 days" or "20 following-…'
                    '--bill-terms= when bills fall due'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'organisation cis' } {
            return @{
                flags = @(
                    '--contractor it deducts from what it pays subcontractors'
                    '--no-contractor it deducts from what it pays subcontractors'
                    '--subcontractor its customers deduct from what they pay it'
                    '--no-subcontractor its customers deduct from what they pay it'
                    '--rate= percent that is deducted from its own sales'
                )
            }
        }
        { $_ -cin 'branding' } {
            return @{
                verbs = @(
                    'list|ls list the branding themes'
                    'show|view|get show how the documents of a theme look'
                    'set|update change how the documents of a theme look'
                )
            }
        }
        { $_ -cin 'branding show', 'user remove', 'report show', 'profile add', 'app remove', 'app secret', 'app token', 'webhook show', 'webhook key', 'webhook remove', 'webhook disable', 'webhook resend' } {
            return @{
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'branding set' } {
            return @{
                flags = @(
                    '--theme= the theme'
                    '--logo=file a PNG or JPEG of at most 1 MiB'
                    '--color= of the title and the rules'
                    '--bank-details= where customers pay to'
                    '--payment-advice= what customers are asked when they pay'
                    '--terms= at the foot of invoices, credit notes and quotes'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'user' } {
            return @{
                verbs = @(
                    'list|ls list people who work on the books'
                    'show|view|get show one user'
                    'add let somebody sign in to the served book'
                    'role give somebody another role'
                    'password give somebody another password'
                    'remove|delete let somebody sign in no longer'
                )
            }
        }
        { $_ -cin 'user list' } {
            return @{
                flags = @(
                    '--email-address= several with commas'
                    '--first-name= several with commas'
                    '--last-name= several with commas'
                    '--organisation-role=,ORGANISATION_ROLE'
                    '--where= in the service''s words, such as ''EmailAddress.StartsWith("A…'
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--modified-since=DATE changed since'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'user show' } {
            return @{
                args = @(
                    'user'
                )
            }
        }
        { $_ -cin 'user add' } {
            return @{
                flags = @(
                    '--role=adviser|standard|standard-without-reports|invoice-only|read-only what they may do'
                    '--name= how history calls them'
                    '--password-stdin read the password from standard input'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'user role' } {
            return @{
                args = @(
                    '-'
                    'adviser|standard|standard-without-reports|invoice-only|read-only'
                )
            }
        }
        { $_ -cin 'user password' } {
            return @{
                flags = @(
                    '--password-stdin read the password from standard input'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'manual-journal' } {
            return @{
                verbs = @(
                    'list|ls list journals posted by hand'
                    'show|view|get show one manual journal'
                    'create|new make a manual journal'
                    'post post a draft'
                    'void void a posted one: it is posted backwards'
                    'delete delete a draft'
                    'history what was done to a manual journal, newest first'
                    'note add a note to the history of a manual journal'
                )
            }
        }
        { $_ -cin 'manual-journal list' } {
            return @{
                flags = @(
                    '--narration= several with commas'
                    '--date=DATE or a range FROM..TO, either end open'
                    '--status=,DRAFT|POSTED|DELETED|VOIDED|ARCHIVED'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--where= in the service''s words, such as ''Narration.StartsWith("A")'''
                    '--order= ''FIELD [ASC|DESC], ...'''
                    '--any-status also what is voided or deleted'
                    '--modified-since=DATE changed since'
                    '--page= one page alone, 100 records, from 1'
                    '--limit='
                    '--all every one'
                    '--count only how many there are'
                )
            }
        }
        { $_ -cin 'manual-journal show', 'manual-journal history' } {
            return @{
                args = @(
                    'manual-journal'
                )
            }
        }
        { $_ -cin 'manual-journal create' } {
            return @{
                flags = @(
                    '--narration= what it is for'
                    '--date=DATE today when not given'
                    '--status=DRAFT|POSTED DRAFT when not given'
                    '--line-amount-types=Exclusive|Inclusive|NoTax NoTax when not given'
                    '--show-on-cash-basis-reports whether reports on cash basis count it'
                    '--no-show-on-cash-basis-reports whether reports on cash basis count it'
                    '--url='
                    '--line=line one line: account, amount, tax, line-amount, account-code,…'
                    '--file|-f=file a whole record as JSON or XML, - for standard input'
                    '--allow-duplicate make it also where one that looks the same is there already'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'manual-journal post', 'manual-journal void', 'manual-journal delete' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'manual-journal'
                )
            }
        }
        { $_ -cin 'manual-journal note' } {
            return @{
                flags = @(
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'manual-journal'
                    '-'
                )
            }
        }
        { $_ -cin 'journal' } {
            return @{
                verbs = @(
                    'list|ls list journals of the ledger, oldest first'
                    'show|view|get show one journal with its lines'
                )
            }
        }
        { $_ -cin 'journal list' } {
            return @{
                flags = @(
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--offset= only those after this number'
                    '--payments-only cash basis: only what was paid'
                    '--modified-since= only those posted since'
                    '--limit='
                    '--all every one'
                )
            }
        }
        { $_ -cin 'journal show' } {
            return @{
                flags = @(
                    '--payments-only by its number in the cash basis'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'report' } {
            return @{
                verbs = @(
                    'pl|profit-and-loss|p-and-l|income-statement profit and loss of a period'
                    'balance-sheet|bs what is owned and owed at the end of a month'
                    'trial-balance|tb the balance of every account at a day'
                    'aged-receivables what a customer owes, invoice by invoice'
                    'aged-payables what a supplier is owed, bill by bill'
                    'bank-summary|bank what came into and went out of the bank'
                    'budget-summary|budget what the overall budget plans'
                    'executive-summary|summary a month in some twenty figures, beside the month before'
                    '1099 what a US organisation paid to whom in a year'
                    '1099-boxes which account stands in which 1099 box'
                    'bas the activity statement of Australia'
                    'gst the goods and services tax return of New Zealand'
                    'list|ls tax returns that were published'
                    'show a tax return as it was published'
                )
            }
        }
        { $_ -cin 'report pl' } {
            return @{
                flags = @(
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--periods= how many earlier periods stand beside it'
                    '--timeframe=MONTH|QUARTER|YEAR how far apart the periods are'
                    '--tracking-category=tracking a column for each of its options'
                    '--tracking-option= only what carries this tracking option, by name or id'
                    '--standard-layout leave layouts of the organisation''s own aside'
                    '--payments-only cash basis: only what was paid'
                )
            }
        }
        { $_ -cin 'report balance-sheet' } {
            return @{
                flags = @(
                    '--date=DATE a day of that month'
                    '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…'
                    '--periods= how many earlier periods stand beside it'
                    '--timeframe=MONTH|QUARTER|YEAR how far apart the periods are'
                    '--tracking-option= only what carries this tracking option, by name or id'
                    '--standard-layout leave layouts of the organisation''s own aside'
                    '--payments-only cash basis: only what was paid'
                )
            }
        }
        { $_ -cin 'report trial-balance' } {
            return @{
                flags = @(
                    '--date=DATE today when not given'
                    '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…'
                    '--payments-only cash basis: only what was paid'
                )
            }
        }
        { $_ -cin 'report aged-receivables', 'report aged-payables' } {
            return @{
                flags = @(
                    '--date=DATE the day that payments count up to'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                )
                args = @(
                    'contact'
                )
            }
        }
        { $_ -cin 'report bank-summary' } {
            return @{
                flags = @(
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                )
            }
        }
        { $_ -cin 'report budget-summary' } {
            return @{
                flags = @(
                    '--date=DATE a day of the first month'
                    '--periods= how many columns there are'
                    '--timeframe=MONTH|QUARTER|YEAR how long each of them is'
                )
            }
        }
        { $_ -cin 'report executive-summary' } {
            return @{
                flags = @(
                    '--date=DATE a day of that month'
                    '--period=PERIOD the end of it: 2026, 2026-Q1, 2026-03, this-month, last-mon…'
                )
            }
        }
        { $_ -cin 'report 1099' } {
            return @{
                flags = @(
                    '--year= the one before this when not given'
                )
            }
        }
        { $_ -cin 'report 1099-boxes' } {
            return @{
                flags = @(
                    '--map= put an account into a box, such as 612=NEC:1'
                    '--unmap=account take an account out of its box'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'report bas' } {
            return @{
                flags = @(
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--field= what the books do not know, such as W1=5000'
                    '--publish keep it'
                    '--simpler Simpler BAS: G1, 1A and 1B alone of the tax on sales'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'report gst' } {
            return @{
                flags = @(
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--field= what the books do not know, such as 13=25.00'
                    '--publish keep it'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
            }
        }
        { $_ -cin 'attachment' } {
            return @{
                verbs = @(
                    'list|ls the files on a record'
                    'add put files on a record'
                    'get save the files of a record'
                    'remove take files off a record'
                )
            }
        }
        { $_ -cin 'attachment list', 'history list' } {
            return @{
                flags = @(
                    '--on=record the record, such as invoice:INV-0042'
                )
            }
        }
        { $_ -cin 'attachment add' } {
            return @{
                flags = @(
                    '--on=record the record, such as invoice:INV-0042'
                    '--name= what one file is called there, if not as it is here'
                    '--mime-type= what it is, if its name does not say so'
                    '--include-online show it to customers with the invoice online'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'file...'
                )
            }
        }
        { $_ -cin 'attachment get' } {
            return @{
                flags = @(
                    '--on=record the record, such as invoice:INV-0042'
                    '--output-file=file a file, a folder, or - for standard output'
                    '--force write over a file that is there'
                )
                args = @(
                    '-...'
                )
            }
        }
        { $_ -cin 'attachment remove' } {
            return @{
                flags = @(
                    '--on=record the record, such as invoice:INV-0042'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    '-...'
                )
            }
        }
        { $_ -cin 'history' } {
            return @{
                verbs = @(
                    'list|ls what was done to a record, newest first'
                    'add|note add a note to a record'
                )
            }
        }
        { $_ -cin 'history add' } {
            return @{
                flags = @(
                    '--on=record the record, such as invoice:INV-0042'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'import' } {
            return @{
                verbs = @(
                    'invoices import invoices from a CSV file'
                    'bills import bills from a CSV file'
                    'contacts import contacts from a CSV file'
                    'items import items from a CSV file'
                    'payments import payments from a CSV file'
                )
            }
        }
        { $_ -cin 'export' } {
            return @{
                verbs = @(
                    'journal|journals|ledger the ledger, for plain-text bookkeeping'
                    'invoices invoices, in the shape that is imported'
                    'bills bills, in the shape that is imported'
                    'contacts contacts, in the shape that is imported'
                    'items items, in the shape that is imported'
                    'payments payments, in the shape that is imported'
                    'credit-notes credit notes, in the shape that is imported'
                    'quotes quotes, in the shape that is imported'
                    'purchase-orders purchase orders, in the shape that is imported'
                    'accounts accounts, in the shape that is imported'
                    'tax-rates tax rates, in the shape that is imported'
                    'tracking tracking, in the shape that is imported'
                )
            }
        }
        { $_ -cin 'export journal' } {
            return @{
                flags = @(
                    '--format=hledger|beancount|csv hledger when not given'
                    '--from=DATE from this day on'
                    '--to=DATE up to this day, itself included'
                    '--period=PERIOD 2026, 2026-Q1, 2026-03, this-month, last-month, this-quarte…'
                    '--basis=accrual|cash accrual when not given'
                    '--output-file=file write this file, whole or not at all'
                )
            }
        }
        { $_ -cin 'export invoices', 'export bills', 'export contacts', 'export items', 'export payments', 'export credit-notes', 'export quotes', 'export purchase-orders', 'export accounts', 'export tax-rates', 'export tracking' } {
            return @{
                flags = @(
                    '--format=csv|json csv when not given'
                    '--output-file=file write this file, whole or not at all'
                )
            }
        }
        { $_ -cin 'api' } {
            return @{
                flags = @(
                    '--query|-q= a query parameter'
                    '--header|-H= a header of the request'
                    '--input=file the body, - for standard input'
                    '--paginate ask for every page, one answer after the other'
                    '--include|-i show the status and the headers of the answer first'
                    '--idempotency-key= do it once, however often the same line is run with this ke…'
                )
                args = @(
                    'GET|POST|PUT|DELETE|HEAD'
                    '-'
                )
            }
        }
        { $_ -cin 'auth' } {
            return @{
                verbs = @(
                    'login sign in to a service, and keep it as a profile'
                    'logout end a sign-in, at the service and on this machine'
                    'status who is signed in where, with what, and for how long'
                    'token print an access token that counts, for other programs'
                    'refresh renew the tokens now'
                )
            }
        }
        { $_ -cin 'auth login' } {
            return @{
                flags = @(
                    '--preset=PRESET a public service: cloud'
                    '--client-id= the app to sign in with'
                    '--client-credentials sign the app itself in, with its secret, for unattended use'
                    '--client-secret-stdin read the secret from standard input (else ACCT_CLIENT_SECRE…'
                    '--scope= what to ask for, instead of the usual'
                    '--organisation= which one, by name or id, when there are several'
                    '--no-browser start no browser'
                    '--redirect-uri= where the browser comes back to'
                    '--timeout= how long to wait for the browser'
                    '--keychain keep the tokens in the keychain of the system, not in a file'
                )
            }
        }
        { $_ -cin 'profile' } {
            return @{
                verbs = @(
                    'list|ls list the profiles'
                    'add give a book or a service a name'
                    'use use a profile when nothing else is said'
                    'show what a profile stands for'
                    'remove|delete forget a profile; its book stays where it is'
                )
            }
        }
        { $_ -cin 'profile use', 'profile show', 'profile remove' } {
            return @{
                args = @(
                    'profile'
                )
            }
        }
        { $_ -cin 'book' } {
            return @{
                verbs = @(
                    'info|show what is in the book, and where it is'
                    'verify check that everything in the book adds up'
                    'set change what the books of the organisation go by'
                    'backup copy the file of the book, also while it is in use'
                    'restore put a backup in the place of the book'
                    'copy copy a book into a database, out of one, or to another file'
                )
            }
        }
        { $_ -cin 'book set' } {
            return @{
                flags = @(
                    '--period-lock-date= nothing may change on or before it'
                    '--end-of-year-lock-date= as above, for years that are closed'
                    '--legal-name= as it stands on documents'
                    '--tax-number= its number with the tax office'
                    '--registration-number= its number in the register'
                )
            }
        }
        { $_ -cin 'book backup' } {
            return @{
                flags = @(
                    '--force write over a file that is there already'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'book restore' } {
            return @{
                flags = @(
                    '--force also one that does not add up'
                )
                args = @(
                    'file'
                )
            }
        }
        { $_ -cin 'book copy' } {
            return @{
                args = @(
                    '-'
                    '-'
                )
            }
        }
        { $_ -cin 'serve' } {
            return @{
                flags = @(
                    '--port= 9320 when not given'
                    '--host= on which address to listen'
                    '--no-rate-limit let every app call as often as it likes'
                    '--rate-limit= how often an app may call'
                    '--rate-limit-status=503|429 with which status a limit is told: 503 when not given, or 4…'
                    '--pkce-optional let web apps sign people in without PKCE, as older librarie…'
                    '--webhook-allow= where webhooks may go beyond https to public addresses: htt…'
                    '--log=json|text|off a line on stderr for each request'
                    '--metrics-port= figures for Prometheus at /metrics of this port'
                    '--metrics-host= on which address they are read'
                    '--drain= how long requests are still taken once the end is asked for…'
                    '--processes= how many processes of this machine answer, with --database'
                    '--chaos= faults on purpose, the same for the same seed and requests:…'
                )
            }
        }
        { $_ -cin 'app' } {
            return @{
                verbs = @(
                    'add register an app'
                    'list|ls list the apps'
                    'remove|delete remove an app; its tokens count no longer'
                    'secret give an app another secret'
                    'token print an access token for scripts on this machine'
                )
            }
        }
        { $_ -cin 'app add' } {
            return @{
                flags = @(
                    '--kind=web|pkce|machine web: people sign in, it keeps a secret'
                    '--redirect-uri= where people are sent back to when they have signed in'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'webhook' } {
            return @{
                verbs = @(
                    'add tell an address of events'
                    'list|ls list who is told of events'
                    'show show one of them'
                    'key print the key by which deliveries are signed'
                    'remove|delete tell an address of nothing any more'
                    'enable tell an address of events again'
                    'disable tell an address of nothing for a while'
                    'validate let a receiver show that it checks signatures'
                    'deliveries what was sent, to whom, and what became of it'
                    'resend send a delivery again, as it was'
                    'trigger tell of a record as if it had just changed'
                    'listen follow events here, and hand them to a program'
                )
            }
        }
        { $_ -cin 'webhook add' } {
            return @{
                flags = @(
                    '--events= of what: invoice, contact, credit-note, payment'
                    '--name= what it is called'
                    '--app= the app that it belongs to, by name or client id'
                    '--allow= where it may be sent beyond https to public addresses: http…'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'webhook enable', 'webhook validate' } {
            return @{
                flags = @(
                    '--allow= where it may be sent beyond https to public addresses: http…'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'webhook deliveries' } {
            return @{
                flags = @(
                    '--status=waiting|delivered only waiting or delivered'
                    '--limit= 50 when not given'
                )
                args = @(
                    '-'
                )
            }
        }
        { $_ -cin 'webhook trigger' } {
            return @{
                flags = @(
                    '--type=create|update create or update'
                    '--webhook= only this webhook, by name, address or id'
                )
                args = @(
                    'invoice|contact|credit-note|payment'
                    '-'
                )
            }
        }
        { $_ -cin 'webhook listen' } {
            return @{
                flags = @(
                    '--forward-to= where to hand them on, signed, as they would be delivered'
                    '--events= of what: invoice, contact, credit-note, payment'
                    '--signing-key= sign with this key'
                )
            }
        }
        { $_ -cin 'completion' } {
            return @{
                verbs = @(
                    'bash print the completions for bash'
                    'zsh print the completions for zsh'
                    'fish print the completions for fish'
                    'powershell print the completions for PowerShell'
                    'install put the completions where your shell looks for them'
                )
            }
        }
        { $_ -cin 'completion install' } {
            return @{
                args = @(
                    'bash|zsh|fish|powershell'
                )
            }
        }
        { $_ -cin 'doctor' } {
            return @{
                flags = @(
                    '--verify look over the whole book, as acct book verify does'
                )
            }
        }
    }
    @{}
}

function Get-AcctList([string] $name) {
    switch ($name) {
        CURRENCY { '
            AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN
            BWP BYN BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EEK EGP
            ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD
            IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD
            MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD
            OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SKK SLE
            SLL SOS SRD STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS
            VEF VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMK ZMW ZWD' }
        DATE { 'today yesterday tomorrow' }
        PERIOD { '
            this-month last-month this-quarter last-quarter this-year last-year this-fy last-fy' }
        DUE_DATE_TYPE { '
            DAYSAFTERBILLDATE DAYSAFTERBILLMONTH DAYSAFTERINVOICEDATE DAYSAFTERINVOICEMONTH
            OFCURRENTMONTH OFFOLLOWINGMONTH' }
        PAYMENT_TYPE { '
            ACCRECPAYMENT ACCPAYPAYMENT ARCREDITPAYMENT APCREDITPAYMENT ARPREPAYMENTPAYMENT
            APPREPAYMENTPAYMENT AROVERPAYMENTPAYMENT APOVERPAYMENTPAYMENT' }
        TYPE { '
            RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT SPEND-OVERPAYMENT
            RECEIVE-TRANSFER SPEND-TRANSFER' }
        TYPE_2 { '
            RECEIVE SPEND RECEIVE-PREPAYMENT SPEND-PREPAYMENT RECEIVE-OVERPAYMENT SPEND-OVERPAYMENT' }
        TYPE_3 { '
            BANK CURRENT CURRLIAB DEPRECIATN DIRECTCOSTS EQUITY EXPENSE FIXED INVENTORY LIABILITY
            NONCURRENT OTHERINCOME OVERHEADS PREPAYMENT REVENUE SALES TERMLIAB PAYG' }
        REPORT_TAX_TYPE { '
            AVALARA BASEXCLUDED CAPITALSALESOUTPUT CAPITALEXPENSESINPUT ECOUTPUT ECOUTPUTSERVICES
            ECINPUT ECACQUISITIONS EXEMPTEXPENSES EXEMPTINPUT EXEMPTOUTPUT GSTONIMPORTS INPUT
            INPUTTAXED MOSSSALES NONE NONEOUTPUT OUTPUT PURCHASESINPUT SALESOUTPUT EXEMPTCAPITAL
            EXEMPTEXPORT CAPITALEXINPUT GSTONCAPIMPORTS GSTONCAPITALIMPORTS REVERSECHARGES PAYMENTS
            INVOICE CASH ACCRUAL FLATRATECASH FLATRATEACCRUAL ACCRUALS TXCA SRCAS DSOUTPUT BLINPUT2
            EPINPUT IMINPUT2 MEINPUT IGDSINPUT2 ESN33OUTPUT OPINPUT OSOUTPUT TXN33INPUT TXESSINPUT
            TXREINPUT TXPETINPUT NRINPUT ES33OUTPUT ZERORATEDINPUT ZERORATEDOUTPUT DRCHARGESUPPLY
            DRCHARGE CAPINPUT CAPIMPORTS IMINPUT INPUT2 CIUINPUT SRINPUT OUTPUT2 SROUTPUT CAPOUTPUT
            SROUTPUT2 CIUOUTPUT ZROUTPUT ZREXPORT ACC28PLUS ACCUPTO28 OTHEROUTPUT SHOUTPUT ZRINPUT
            BADDEBT OTHERINPUT BADDEBTRELIEF IGDSINPUT3 SROVR TOURISTREFUND TXRCN33 TXRCRE TXRCESS
            TXRCTS CAPEXINPUT UNDEFINED CAPEXOUTPUT ZEROEXPOUTPUT GOODSIMPORT NONEINPUT NOTREPORTED
            SROVRRS SROVRLVG SRLVG IM IMESS IMN33 IMRE BADDEBTRECOVERY USSALESTAX BLINPUT3' }
        ORGANISATION_TYPE { '
            ACCOUNTING_PRACTICE COMPANY CHARITY CLUB_OR_SOCIETY INDIVIDUAL LOOK_THROUGH_COMPANY
            NOT_FOR_PROFIT PARTNERSHIP S_CORPORATION SELF_MANAGED_SUPERANNUATION_FUND SOLE_TRADER
            SUPERANNUATION_FUND TRUST PERSONAL SINGLEMEMBERLLC CCORPORATIONLLC PARTNERSHIPLLC
            SCORPORATIONLLC LLC NOTLLC UNSPECIFIED' }
        SALES_TAX_PERIOD { '
            MONTHLY QUARTERLY QUARTERLY1 QUARTERLY2 QUARTERLY3 YEARLY ANNUALLY ONEMONTHS TWOMONTHS
            SIXMONTHS 1MONTHLY 2MONTHLY 3MONTHLY 6MONTHLY NONE' }
        ORGANISATION_ROLE { '
            READONLY INVOICEONLY STANDARD FINANCIALADVISER MANAGEDCLIENT CASHBOOKCLIENT UNKNOWN
            REMOVED' }
        PRESET { 'cloud' }
    }
}

$acctGlobals = @(
    '--book=file work on this book'
    '--database= work in this PostgreSQL database'
    '--data=file work in this folder of books, one organisation in each file'
    '--profile=profile use this profile'
    '--base-url= talk to this service'
    '--tenant= of a service, a database or a folder, this organisation, by…'
    '--demo work on a throw-away sample company, made on first use'
    '--output|-o=table|json|xml|csv|id table, json, xml, csv, id'
    '--columns= fields to show in tables, CSV and JSON'
    '--dry-run check, show what would change, change nothing'
    '--public-url= under which address others see what acct serve serves'
    '--yes answer yes to every confirmation'
    '--no-input never ask'
    '--max-wait= wait so long for a service that limits calls'
    '--verbose show requests and answers on stderr'
    '--no-color no colour'
    '--help|-h say what there is to know'
)
# <<< table

Register-ArgumentCompleter -Native -CommandName acct -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    function Get-Names([string] $entry) { ($entry -split '[ =]', 2)[0] -split '\|' }
    function Get-Text([string] $entry) { ($entry + ' ') -split ' ', 2 | Select-Object -Last 1 }
    function Get-Flags($row) { @($row['flags'] | Where-Object { $_ }) + $acctGlobals }
    # What a flag takes; nothing at all when it is a switch.
    function Get-Taken([string] $flag, $row) {
        foreach ($entry in Get-Flags $row) {
            if ((Get-Names $entry) -ccontains $flag) {
                $token = ($entry -split ' ', 2)[0]
                if ($token.Contains('=')) { return ($token -split '=', 2)[1] }
                return
            }
        }
    }
    function New-Result([string] $value, [string] $text, [string] $before) {
        $typed = $before + $value
        # A comma would make two arguments of it.
        if ($typed -match '[^\w.:=/+-]') { $typed = "'" + $typed.Replace("'", "''") + "'" }
        if ($text.Trim() -eq '') { $text = $value }
        [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $text.Trim())
    }

    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition })
    $words = @($elements | Select-Object -Skip 1 | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $word = "$wordToComplete" -replace '^(--[^=]*=)?[''"]', '$1'
    if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }

    $at = ''
    $takes = $null
    $count = 0
    $row = Get-AcctRow ''
    foreach ($each in $words) {
        if ($null -ne $takes) { $takes = $null; continue }
        if ($each -like '-?*') {
            if (-not $each.Contains('=')) { $takes = Get-Taken $each $row }
            continue
        }
        $verb = $row['verbs'] | Where-Object { (Get-Names $_) -contains $each } | Select-Object -First 1
        if ($verb) {
            $at = "$at $(@(Get-Names $verb)[0])".Trim()
            $row = Get-AcctRow $at
        } else { $count++ }
    }

    $before = ''
    if ($null -eq $takes) {
        if ($word -match '^(--[^=]+)=(.*)$') {
            $before = $Matches[1] + '='
            $word = $Matches[2]
            $takes = Get-Taken $before.TrimEnd('=') $row
        } elseif ($word.StartsWith('-') -or $row['verbs']) {
            $entries = if ($word.StartsWith('-')) { Get-Flags $row } else { $row['verbs'] }
            foreach ($entry in $entries) {
                $name = @(Get-Names $entry)[0]
                if ($name -like "$word*") { New-Result $name (Get-Text $entry) '' }
            }
            return
        } else {
            $wanted = @($row['args'] | Where-Object { $_ })
            if ($wanted.Count -gt 0 -and $count -ge $wanted.Count -and $wanted[-1].EndsWith('...')) { $count = $wanted.Count - 1 }
            if ($count -lt $wanted.Count) { $takes = $wanted[$count] -replace '\.\.\.$', '' }
        }
    }
    if (-not $takes -or $takes -eq '-') { return }
    if ($takes.StartsWith(',')) {
        $takes = $takes.Substring(1)
        $comma = $word.LastIndexOf(',') + 1
        $before += $word.Substring(0, $comma)
        $word = $word.Substring($comma)
    }
    if ($takes -eq 'file') {
        foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)) {
            [System.Management.Automation.CompletionResult]::new(
                $before + $file.CompletionText, $file.ListItemText, $file.ResultType, $file.ToolTip)
        }
        return
    }
    $lines = if ($takes.Contains('|')) { $takes -split '\|' }
    elseif ($takes -cmatch '^[A-Z]') { (Get-AcctList $takes).Trim() -split '\s+' }
    else {
        $acct = $elements[0].Extent.Text
        # Before 7.3 an empty argument got lost.
        $start = if ($word -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { $word }
        & $acct completion _values $takes $start '--' @words $wordToComplete 2>$null
    }
    foreach ($line in $lines) {
        $value, $text = "$line" -split "`t", 2
        if ($value -and $value.StartsWith($word, [StringComparison]::OrdinalIgnoreCase)) { New-Result $value "$text" $before }
    }
}
