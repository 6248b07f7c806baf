import type { Parameter, Strategy, Values } from './strategy.ts'

/** How many values are tried on each side of a parameter's own, by how many parameters there are: never more than 243 in all. */
const STEPS_ASIDE = [0, 4, 3, 2, 1, 1] as const
const FARTHEST = 0.5

/**
 * The combinations around given values, those themselves first: each parameter from half to one and a half times its value, in even steps, put
 * on the parameter's own steps and within its range. The same for the same values, whatever the market did.
 */
export function neighbourhood(strategy: Strategy, values: Values): readonly Values[] {
  const names = Object.keys(strategy.parameters)
  const aside = STEPS_ASIDE[Math.min(names.length, STEPS_ASIDE.length - 1)] ?? 0
  let combinations: Values[] = [{}]
  for (const name of names) {
    const parameter = strategy.parameters[name]
    const own = values[name]
    if (parameter === undefined || own === undefined) continue
    const tried = around(own, parameter, aside)
    combinations = combinations.flatMap((combination) =>
      tried.map((value) => ({ ...combination, [name]: value })),
    )
  }
  const isOwn = (combination: Values) => names.every((name) => combination[name] === values[name])
  return [...combinations.filter(isOwn), ...combinations.filter((combination) => !isOwn(combination))]
}

function around(own: number, { least, most, step }: Parameter, aside: number): number[] {
  const tried = new Set([own])
  for (let i = -aside; i <= aside; i++) {
    if (i === 0) continue
    const wanted = own * (1 + (FARTHEST * i) / aside)
    const steps = Math.round((Math.min(most, Math.max(least, wanted)) - least) / step)
    tried.add(Number((least + steps * step).toPrecision(12)))
  }
  return [...tried].filter((value) => value <= most).sort((a, b) => a - b)
}
