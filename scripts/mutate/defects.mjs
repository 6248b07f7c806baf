import { spawnSync } from 'node:child_process'
import { DEFECTS } from '../../simulator/defects.ts'
import { environment, program, root } from '../toolchain.mjs'

const RUNS = [
  ['--seed', '3', '--faults', 'none'],
  ['--seed', '5', '--faults', 'storm'],
  ['--seed', '2', '--faults', 'none'],
]
const SIZE = ['--days', '40', '--investors', '24', '--haste', '4', '--quick']

/**
 * Plants each defect of simulator/defects.ts in turn and plays seeds until a rule is broken. Prints which rule found it. Returns whether
 * all were found.
 *
 * @param {readonly string[]} names all defects without any
 */
export function mutateDefects(names) {
  const chosen = DEFECTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const missed = chosen.filter(({ name, harm }) => {
    const rule = foundBy(name)
    console.log(`${rule === null ? 'NOT FOUND' : rule.padEnd(30)}  ${name}: ${harm}`)
    return rule === null
  })
  console.log(`${chosen.length - missed.length} of ${chosen.length} found`)
  return missed.length === 0
}

/** The name of the rule that a defect or a changed condition breaks; null if all runs keep every rule. @param {string} name */
export function foundBy(name) {
  for (const run of RUNS) {
    const { stdout, stderr, status } = spawnSync(
      program('node'),
      ['--disable-warning=ExperimentalWarning', 'scripts/simulate.mjs', ...run, ...SIZE, '--defect', name],
      { cwd: root, env: environment, encoding: 'utf8' },
    )
    if (status === 0) continue
    const rule = /^BROKEN (\w+):/m.exec(stdout)?.[1]
    if (rule === undefined) throw new Error(`${name}: ${stdout}${stderr}`)
    return rule
  }
  return null
}
