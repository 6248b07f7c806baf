import { listInvestors } from '../../../contract/console/investors.ts'
import { listOperators } from '../../../contract/console/operators.ts'
import { call } from '../../lib/api.ts'

export interface FoundPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly isOperator: boolean
}

/** As many as fit below the filters. */
const MOST_FOUND = 8

/** Finds operators and investors by a part of the name or e-mail address. */
export async function findPeople(text: string, canListOperators: boolean): Promise<FoundPerson[]> {
  const [operators, investors] = await Promise.all([
    canListOperators ? call(listOperators, { query: { limit: '100' } }) : [],
    call(listInvestors, { query: { query: text, limit: String(MOST_FOUND) } }),
  ])
  const typed = text.toLowerCase()
  const isMatch = (value: string) => value.toLowerCase().includes(typed)
  return [
    ...operators
      .filter(({ name, email }) => isMatch(name) || isMatch(email))
      .map(({ _id, name, email }) => ({ id: _id, name, email, isOperator: true })),
    ...investors.map(({ _id, name, email }) => ({ id: _id, name, email, isOperator: false })),
  ].slice(0, MOST_FOUND)
}
