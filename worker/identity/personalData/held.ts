import { moneyParts } from './money.ts'
import type { Part } from './part.ts'
import { personParts } from './person.ts'

/** Everything held on a person, in the order of the file. A table that comes new is added here or to `NOT_PERSONAL`. */
export const HELD: readonly Part[] = [...personParts, ...moneyParts]
