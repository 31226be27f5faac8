/** What the support chat's tools are asked and answer, where several conversations need the same. */

export const orderWaiting = {
  name: 'orders_get',
  input: { order: '{order}' },
  output: {
    order: '{order}',
    state: 'awaiting_label',
    carrier: '{carrier}',
    lines: [{ sku: '{sku}', title: '{product}', quantity: 2 }],
    problem: 'The weight of the parcel is missing.',
  },
}

export const orderShipped = {
  name: 'orders_get',
  input: { order: '{order}' },
  output: {
    order: '{order}',
    state: 'in_transit',
    carrier: '{carrier}',
    tracking: '{tracking}',
    lastScan: { place: '{city}', at: '{date}' },
    lines: [{ sku: '{sku}', title: '{product}', quantity: 1 }],
  },
}

export const refundDone = {
  name: 'refunds_create',
  input: { order: '{order}', amount: '{amount}', reason: 'damaged' },
  output: {
    refund: 're_{tracking}',
    state: 'pending',
    amount: '{amount}',
    currency: 'EUR',
    arrives: '3-5 days',
  },
}
