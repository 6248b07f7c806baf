const SIDES = { Investor: 'investor', Operators: 'operators', Books: 'books' } as const

/** One step of a story, and what each side sees after it. */
export interface Step extends Readonly<Record<(typeof SIDES)[keyof typeof SIDES], readonly string[]>> {
  readonly happened: string
}

/** Prints the steps of a story as text: what happened, and what each side sees unless that is as before. */
export async function tell(steps: AsyncIterable<Step>, print: (text: string) => void): Promise<void> {
  let number = 0
  let before: Step | null = null
  for await (const step of steps) {
    const lines = Object.entries(SIDES).flatMap(([label, side]) =>
      step[side].join() === before?.[side].join()
        ? []
        : step[side].map((line, at) => `   ${(at === 0 ? label : '').padEnd(9)}  ${line}`),
    )
    print([`${++number}. ${step.happened}`, ...lines, ''].join('\n'))
    before = step
  }
}
