import type { StrategyKind } from '../definition.ts'
import type { Parameter, Values } from '../strategy.ts'
import { STRATEGIES } from './registry.ts'

/** A step such as 0.1 isn't exact in binary. */
const ROUNDING = 1e-9

/** Names come from outside and are repeated in an answer. */
const LONGEST_NAME = 40

/** The values with which a kind comes. */
export function defaultValues(kind: StrategyKind): Values {
  const parameters = Object.entries(STRATEGIES[kind].parameters)
  return Object.fromEntries(parameters.map(([name, parameter]) => [name, parameter.default]))
}

/**
 * What is wrong with values from outside, a sentence for each problem: one that is missing, unknown, no number, out of its range or
 * off its step. Empty where the strategy can be run with them.
 */
export function validValues(kind: StrategyKind, values: Readonly<Record<string, unknown>>): string[] {
  const { parameters } = STRATEGIES[kind]
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(parameters, name))
  return [
    ...unknown.map((name) => `There is no value called “${name.slice(0, LONGEST_NAME)}”.`),
    ...Object.entries(parameters).flatMap(([name, parameter]) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      return problemWith(value, parameter) ?? []
    }),
  ]
}

function problemWith(value: unknown, { label, unit, least, most, step }: Parameter): string | null {
  if (value === undefined) return `${label} is missing.`
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${label} must be a number.`
  if (value < least || value > most) return `${label} must be from ${least} to ${most} ${unit}.`
  const steps = (value - least) / step
  if (Math.abs(steps - Math.round(steps)) > ROUNDING) {
    return `${label} must be ${least} ${unit} or that plus whole steps of ${step}.`
  }
  return null
}
