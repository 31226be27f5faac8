/** Pull requests of the company's own developers, and what the review said. */

export interface Review {
  readonly title: string
  readonly description: string
  readonly path: string
  readonly diff: string
  readonly findings: readonly {
    readonly line: number
    readonly severity: 'bug' | 'race' | 'clarity'
    readonly text: string
  }[]
}

export const reviews: readonly Review[] = [
  {
    title: 'Retry label creation when the carrier times out',
    description: 'DPD times out for about 1 % of labels in the morning. Try up to three times.',
    path: 'labels/create.ts',
    diff: `@@ -18,7 +18,13 @@ export async function createLabel(parcel: Parcel) {
-  return carrier.post('/labels', parcel)
+  for (let attempt = 0; attempt < 3; attempt++) {
+    try {
+      return await carrier.post('/labels', parcel)
+    } catch (error) {
+      await sleep(1000 * attempt)
+    }
+  }
 }`,
    findings: [
      {
        line: 24,
        severity: 'bug',
        text: 'After the third failure the function returns undefined, and the caller prints an empty label. Throw the last error.',
      },
      {
        line: 21,
        severity: 'race',
        text: 'A timeout does not mean that the label was not made: without an idempotency key the customer is charged for two.',
      },
    ],
  },
  {
    title: 'Show stock of all warehouses in the order list',
    description: 'Adds a column. The numbers come from the existing endpoint.',
    path: 'web/orders/list.tsx',
    diff: `@@ -41,6 +41,9 @@ export function OrderRow({ order }: Props) {
   return (
     <tr>
       <td>{order.number}</td>
+      <td>
+        {useStock(order.lines.map((line) => line.sku)).total}
+      </td>`,
    findings: [
      {
        line: 45,
        severity: 'bug',
        text: 'One request for each row: a page of 100 orders makes 100 calls and runs into the rate limit. Load the stock of the page at once, above the table.',
      },
    ],
  },
  {
    title: 'Round VAT per line instead of per invoice',
    description: 'German tax offices accept both, French ones only per line.',
    path: 'billing/vat.py',
    diff: `@@ -7,5 +7,5 @@ def vat(lines, rate):
-    return round(sum(line.net for line in lines) * rate, 2)
+    return sum(round(line.net * rate, 2) for line in lines)`,
    findings: [
      {
        line: 8,
        severity: 'bug',
        text: 'These are floats, and round() rounds halves to even: 0.125 becomes 0.12. Use Decimal with ROUND_HALF_UP, as billing/total.py does.',
      },
    ],
  },
  {
    title: 'Typo in the onboarding mail',
    description: '',
    path: 'mails/onboarding.html',
    diff: `@@ -3,3 +3,3 @@
-<p>Welcome to Fernhil!</p>
+<p>Welcome to Fernhill!</p>`,
    findings: [],
  },
  {
    title: 'Cache the catalogue in memory',
    description: 'The catalogue endpoint takes 900 ms for large merchants.',
    path: 'catalogue/get.go',
    diff: `@@ -12,9 +12,17 @@ func Get(ctx context.Context, merchant string) (*Catalogue, error) {
+	if c, ok := cache[merchant]; ok {
+		return c, nil
+	}
 	c, err := store.Load(ctx, merchant)
 	if err != nil {
 		return nil, err
 	}
+	cache[merchant] = c
 	return c, nil
 }`,
    findings: [
      {
        line: 20,
        severity: 'race',
        text: 'Two requests write the map at the same time: Go stops the process for that. Use sync.Map or a mutex.',
      },
      {
        line: 13,
        severity: 'bug',
        text: 'Nothing is ever taken out, so an import is not seen until the next deployment.',
      },
      {
        line: 12,
        severity: 'clarity',
        text: 'Callers change the catalogue they get (see apply_discounts); now they change it for everybody. Return a copy.',
      },
    ],
  },
  {
    title: 'Delete webhooks that failed for 24 hours',
    description: 'Cleans up the table that grew to 80 GB.',
    path: 'webhooks/clean.sql',
    diff: `@@ -0,0 +1,3 @@
+DELETE FROM webhook_deliveries
+WHERE created_at < now() - interval '24 hours'
+   OR state = 'failed';`,
    findings: [
      {
        line: 3,
        severity: 'bug',
        text: 'OR deletes every delivery older than a day, the delivered ones too, and failed ones of a second ago. The description says AND.',
      },
      {
        line: 1,
        severity: 'race',
        text: 'One statement over 80 GB holds its locks for minutes. Delete in batches by primary key.',
      },
    ],
  },
  {
    title: 'Sort returns by date of arrival',
    description: 'Asked for by three warehouses.',
    path: 'returns/list.rs',
    diff: `@@ -28,4 +28,4 @@
-    returns.sort_by_key(|r| r.created_at);
+    returns.sort_by_key(|r| r.received_at.unwrap_or(r.created_at));`,
    findings: [],
  },
  {
    title: 'Accept XLSX in the catalogue import',
    description: 'Uses the parser that the export already has.',
    path: 'import/read.ts',
    diff: `@@ -9,6 +9,10 @@ export async function readRows(file: Upload): Promise<Row[]> {
+  if (file.name.endsWith('.xlsx')) {
+    const book = parseXlsx(await file.bytes())
+    return book.sheets[0].rows
+  }
   return parseCsv(await file.text())
 }`,
    findings: [
      {
        line: 12,
        severity: 'bug',
        text: 'A workbook without a sheet throws a TypeError, which the page shows as "undefined". Say that the file is empty.',
      },
      {
        line: 10,
        severity: 'clarity',
        text: 'The name decides; a file called Stock.XLSX is read as CSV. Look at the first bytes, or at least ignore case.',
      },
    ],
  },
]
