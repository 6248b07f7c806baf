import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AREAS, listAreaMutants } from '../../mutants/areas.ts'

/** Ms without an answer, after which a mutant counts as noticed: it repeats something for ever. */
const PATIENCE = 600_000

/**
 * Plants each mutant of the code that decides about money, and runs the tests near it until one fails. Prints the survivors, and how
 * many were noticed. Returns whether all were.
 *
 * @param {readonly string[]} parameters parts of the mutants' names, all mutants without any; `--sample 60` tries a random part of
 * them, which `--seed` (1) chooses
 */
export async function mutateCode(parameters) {
  const { values, positionals: patterns } = parseArgs({
    args: [...parameters],
    options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const all = AREAS.flatMap((area) => listAreaMutants(area))
  const named = all.filter(
    ({ id }) => patterns.length === 0 || patterns.some((pattern) => id.includes(pattern)),
  )
  const chosen = values.sample === undefined ? named : draw(named, Number(values.sample), Number(values.seed))
  let noticed = 0
  for await (const { mutant, by } of tryMutants(chosen)) {
    if (by !== null) noticed++
    const place = `${mutant.id} (line ${mutant.line}): ${mutant.change}`
    console.log(by === null ? `NOT NOTICED  ${place}` : `noticed      ${place}: ${by}`)
  }
  const share = ((noticed / chosen.length) * 100).toFixed(1)
  console.log(`${noticed} of ${chosen.length} mutants noticed (${share} %), of ${all.length} in all`)
  return noticed === chosen.length
}

/**
 * What noticed each mutant; null for nothing. A process of its own runs the tests. It is replaced when it gives no answer, or ends.
 *
 * @param {readonly import('../../mutants/generate.ts').Mutant[]} mutants
 */
async function* tryMutants(mutants) {
  let child = openChild()
  try {
    for (const mutant of mutants) {
      let answer = await ask(child, mutant)
      if (answer.hasEnded) {
        child = openChild()
        answer = await ask(child, mutant)
      }
      if (answer.by === 'no answer') {
        endChild(child)
        child = openChild()
      }
      yield { mutant, by: answer.by }
    }
  } finally {
    endChild(child)
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {import('../../mutants/generate.ts').Mutant} mutant
 * @returns {Promise<{ by: string | null, hasEnded?: boolean }>}
 */
async function ask(child, mutant) {
  child.send(mutant)
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([by]) => ({ by })),
      once(child, 'exit', { signal }).then(() => ({ by: 'no answer', hasEnded: true })),
      setTimeout(PATIENCE, { by: 'no answer' }, { signal }),
    ])
  } finally {
    waiting.abort()
  }
}

function openChild() {
  return fork(new URL('tryMutants.mjs', import.meta.url), { detached: true, serialization: 'advanced' })
}

/** Ends a process and those that it started. @param {import('node:child_process').ChildProcess} child */
function endChild({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/**
 * A random part of a list, in the list's order.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} count
 * @param {number} seed
 */
function draw(list, count, seed) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  const ranked = list.map((item, place) => ({ item, place, rank: next() }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
