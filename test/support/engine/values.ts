import type { StrategyKind } from '../../../engine/definition.ts'
import { STRATEGIES } from '../../../engine/strategies/registry.ts'
import type { Values } from '../../../engine/strategy.ts'

/** A step such as 0.1 isn't exact in binary. */
const ROUNDING = 1e-9

export function defaultValues(kind: StrategyKind): Values {
  const parameters = Object.entries(STRATEGIES[kind].parameters)
  return Object.fromEntries(parameters.map(([name, parameter]) => [name, parameter.default]))
}

/** Whether there is a value for each parameter and no other, each within its range and on a step. */
export function areValid(kind: StrategyKind, values: Values): boolean {
  const parameters = Object.entries(STRATEGIES[kind].parameters)
  if (Object.keys(values).length !== parameters.length) return false
  return parameters.every(([name, { least, most, step }]) => {
    const value = values[name]
    if (value === undefined || !(value >= least && value <= most)) return false
    const steps = (value - least) / step
    return Math.abs(steps - Math.round(steps)) <= ROUNDING
  })
}
