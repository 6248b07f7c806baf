import { atom, type ReadableAtom } from 'nanostores'
import type { MailKind, Preferences } from '../../../contract/identity/preferences.ts'
import { failureWords } from '../../lib/ApiFailure.ts'

export type Choice = 'activityLog' | MailKind
type Choices = Readonly<Record<Choice, boolean>>
type Change = Readonly<Partial<Choices>>

export type PreferencesState =
  | { state: 'loading' }
  | { state: 'failed'; msg: string }
  /** `choices` include clicks that are not saved yet; `problems` say why a choice was not saved. */
  | { state: 'ready'; choices: Choices; problems: Problems }

type Problems = Readonly<Partial<Record<Choice, string | undefined>>>

export interface PreferencesServer {
  load: () => Promise<Preferences>
  save: (change: PreferencesChange) => Promise<Preferences>
}

export interface PreferencesChange {
  activityLog?: boolean
  emails?: Partial<Preferences['emails']>
}

export interface PreferencesStore {
  $state: ReadableAtom<PreferencesState>
  load: () => Promise<void>
  /** Shows the choice at once and saves it. Resolves when nothing is left to save. */
  choose: (choice: Choice, isOn: boolean) => Promise<void>
}

/**
 * The preferences of whoever is signed in. One change is saved at a time and what is pressed meanwhile goes with the
 * next one, so that no press is lost, and none undone by the answer to an earlier one.
 */
export function preferencesStore(server: PreferencesServer, onSaved: () => void): PreferencesStore {
  const $state = atom<PreferencesState>({ state: 'loading' })
  let wanted: Change = {}
  let saving: Promise<void> | null = null

  const draw = (saved: Choices, problems: Problems) =>
    $state.set({ state: 'ready', choices: { ...saved, ...wanted }, problems })

  const saveAll = async (before: Choices) => {
    let saved = before
    while (entriesOf(wanted).length > 0) {
      const attempt = wanted
      let problem: string | undefined
      try {
        saved = choicesOf(await server.save(changeOf(attempt)))
        onSaved()
      } catch (error) {
        problem = failureWords(error)
      }
      // Choices that changed again meanwhile still have to be saved.
      wanted = without(wanted, (choice, isOn) => attempt[choice] === isOn || saved[choice] === isOn)
      const failed = entriesOf(attempt).filter(([choice]) => !(choice in wanted))
      draw(saved, {
        ...problemsOf($state.get()),
        ...Object.fromEntries(failed.map(([choice]) => [choice, problem])),
      })
    }
  }

  return {
    $state,
    load: async () => {
      if ($state.get().state === 'ready') return
      $state.set({ state: 'loading' })
      try {
        draw(choicesOf(await server.load()), {})
      } catch (error) {
        $state.set({ state: 'failed', msg: failureWords(error) })
      }
    },
    choose: (choice, isOn) => {
      const now = $state.get()
      if (now.state !== 'ready') return Promise.resolve()
      wanted = { ...wanted, [choice]: isOn }
      $state.set({
        ...now,
        choices: { ...now.choices, ...wanted },
        problems: { ...now.problems, [choice]: undefined },
      })
      saving ??= saveAll(now.choices).finally(() => {
        saving = null
      })
      return saving
    },
  }
}

function problemsOf(state: PreferencesState): Problems {
  return state.state === 'ready' ? state.problems : {}
}

function choicesOf({ activityLog, emails }: Preferences): Choices {
  return { activityLog, ...emails }
}

function changeOf({ activityLog, ...emails }: Change): PreferencesChange {
  return {
    ...(activityLog !== undefined && { activityLog }),
    ...(entriesOf(emails).length > 0 && { emails }),
  }
}

function without(change: Change, isDone: (choice: Choice, isOn: boolean) => boolean): Change {
  return Object.fromEntries(entriesOf(change).filter(([choice, isOn]) => !isDone(choice, isOn)))
}

function entriesOf(change: Change): [Choice, boolean][] {
  return Object.entries(change) as [Choice, boolean][]
}
