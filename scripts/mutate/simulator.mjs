import { spawnSync } from 'node:child_process'
import { environment, program, root } from '../toolchain.mjs'

/** A short run first: it finds most changes. Liabilities are published from twenty investors on. */
const RUNS = [
  ['--seed', '3', '--faults', 'none', '--days', '14', '--investors', '10', '--haste', '8'],
  ['--seed', '2', '--faults', 'none', '--days', '40', '--investors', '40', '--haste', '6'],
  ['--seed', '4', '--faults', 'storm', '--days', '30', '--investors', '24', '--haste', '4'],
]

/**
 * The runs for a defect: whole platforms, or seeded chains if it names them.
 *
 * @param {{ readonly chains?: string }} change
 */
export function runsFor({ chains }) {
  return chains === undefined ? RUNS : [['--chains', chains]]
}

/** Throws if a run breaks a rule without any change: it would find every change. @param {readonly (readonly string[])[]} runs */
export function requireSoundRuns(runs = RUNS) {
  for (const run of runs) {
    const rule = brokenBy(run, [])
    if (rule !== null) throw new Error(`Without any change, ${run.join(' ')} breaks ${rule}`)
  }
}

/**
 * The name of the rule that a defect or a changed condition breaks; null if all runs keep every rule.
 *
 * @param {string} name
 * @param {readonly (readonly string[])[]} runs
 */
export function foundBy(name, runs = RUNS) {
  for (const run of runs) {
    const rule = brokenBy(run, ['--defect', name])
    if (rule !== null) return rule
  }
  return null
}

/**
 * Plays one run. Returns the name of the rule that it breaks; null for none.
 *
 * @param {readonly string[]} run
 * @param {readonly string[]} more
 */
function brokenBy(run, more) {
  const { stdout, stderr, status } = spawnSync(
    program('node'),
    [
      '--max-semi-space-size=64',
      '--disable-warning=ExperimentalWarning',
      'scripts/simulate.mjs',
      ...run,
      '--quick',
      ...more,
    ],
    { cwd: root, env: environment, encoding: 'utf8' },
  )
  if (status === 0) return null
  const rule = /^BROKEN (\w+):/m.exec(stdout)?.[1]
  if (rule === undefined) throw new Error(`${more.join(' ')}: ${stdout}${stderr}`)
  return rule
}
