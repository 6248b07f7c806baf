import type { OperatorVenue } from '../../../contract/console/venue.ts'

type State = NonNullable<OperatorVenue['check']>['state']

export function checkTitle(name: string, state: State): string {
  switch (state) {
    case 'equal':
      return `${name} holds what our books say`
    case 'different':
      return `${name} holds something other than our books say`
    case 'unreachable':
      return `${name} cannot be compared with our books`
  }
}

/** The states of an order at the exchange, in words. */
export const ORDER_STATES: Readonly<Record<OperatorVenue['orders'][number]['state'], string>> = {
  sending: 'Sent, not confirmed',
  open: 'Open',
  closed: 'Ended',
  refused: 'Refused',
  absent: 'Never arrived',
}

/** The conditions that are not met, one after the other. */
export function describeUnmetConditions(
  conditions: OperatorVenue['strategies'][number]['conditions'],
): string {
  const unmet = conditions.filter(({ met }) => !met).map(({ words }) => words)
  return unmet.length === 0 ? 'All conditions are met' : unmet.join('. ')
}
