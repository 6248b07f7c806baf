import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { environment, root } from '../../../scripts/toolchain.mjs'

/**
 * Starts the tests that shall notice changes. Throws if one of them fails without any change.
 *
 * @param {readonly { readonly tests?: readonly string[] }[]} changes
 */
export async function openTests(changes) {
  Object.assign(process.env, environment, { PLANTED_CHANGE: '', WRANGLER_LOG: 'warn' })
  const vitest = await createVitest('test', { root, watch: false, bail: 1, reporters: [{}] })
  const close = () => vitest.close()
  const unchanged = await failedTest(vitest, [...new Set(changes.flatMap(({ tests = [] }) => tests))])
  if (unchanged === null) return { close, noticing }
  await close()
  throw new Error(`This test fails without any change: ${unchanged}`)

  /**
   * The first test that fails with this change; null if all pass.
   *
   * @param {import('../../simulator/change.ts').Change & { readonly tests?: readonly string[] }} change
   */
  async function noticing({ name, file, find, replace, tests = [] }) {
    process.env.PLANTED_CHANGE = name
    vitest.invalidateFile(join(root, file))
    // The Worker's tests do not load migrations themselves: test/setup/migrate.ts gets them.
    const changedMigration = file.startsWith('migrations/') ? { find, replace } : null
    for (const project of vitest.projects) project.provide('changedMigration', changedMigration)
    try {
      for (const test of tests) {
        const failed = await failedTest(vitest, [test])
        if (failed !== null) return failed
      }
      return null
    } finally {
      vitest.invalidateFile(join(root, file))
    }
  }
}

/**
 * The first test that fails; null if all pass.
 *
 * @param {import('vitest/node').Vitest} vitest
 * @param {readonly string[]} files
 */
async function failedTest(vitest, files) {
  const specifications = await Promise.all(files.map((file) => vitest.globTestSpecifications([file])))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications.flat())
  // The result also has the modules of earlier runs.
  for (const module of testModules) {
    if (!files.some((file) => module.moduleId === join(root, file))) continue
    for (const test of module.children.allTests('failed')) return test.fullName
    const [error] = [...module.errors(), ...unhandledErrors]
    if (error !== undefined) throw error
  }
  return null
}
