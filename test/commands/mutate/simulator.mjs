import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { environment, getProgramPath, root, waitForExit } from '../../../scripts/toolchain.mjs'

/** A short run first: it finds most defects. Liabilities are published from twenty investors on. */
const RUNS = [
  ['--seed', '3', '--faults', 'none', '--days', '14', '--investors', '10', '--haste', '8'],
  ['--seed', '2', '--faults', 'none', '--days', '40', '--investors', '40', '--haste', '6'],
  ['--seed', '4', '--faults', 'storm', '--days', '30', '--investors', '24', '--haste', '4'],
]

/** Compiled modules, for the next run. */
const COMPILED = join(root, 'node_modules/.cache/node')
/** The runs that keep every rule without any defect. @type {Set<string>} */
const sound = new Set()

/**
 * The name of the rule that a defect breaks on whole platforms, or on seeded chains if it names them; null if all runs keep every
 * rule. Throws if a run breaks a rule without any defect: it would find every defect.
 *
 * @param {{ readonly name: string, readonly chains?: string }} defect
 */
export async function findBrokenRule({ name, chains }) {
  for (const run of chains === undefined ? RUNS : [['--chains', chains]]) {
    const key = run.join(' ')
    const broken = sound.has(key) ? null : await breakRule(run, [])
    if (broken !== null) throw new Error(`Without any defect, ${key} breaks ${broken}`)
    sound.add(key)
    const rule = await breakRule(run, ['--defect', name])
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
async function breakRule(run, more) {
  const parameters = [
    '--max-semi-space-size=64',
    '--disable-warning=ExperimentalWarning',
    'test/commands/simulate.mjs',
  ]
  const child = spawn(getProgramPath('node'), [...parameters, ...run, '--quick', ...more], {
    cwd: root,
    env: { ...environment, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    waitForExit(child),
  ])
  if (status === 0) return null
  const rule = /^BROKEN (\w+):/m.exec(output)?.[1]
  if (rule === undefined) throw new Error(`${more.join(' ')}: ${output}${errors}`)
  return rule
}
