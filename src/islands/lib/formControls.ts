/** The value of a field: text as typed, or whether a checkbox is ticked. */
export type FieldValue = string | boolean | undefined

/** The subset of an input, select or textarea that is used here. */
export interface Control {
  readonly type: string
  value: string
  checked?: boolean
  selectedIndex?: number
  focus(): void
}

/**
 * The fields of one form, by name. The controls on the page hold the values, so input from before the script loaded counts.
 * The value of a removed control is kept.
 */
export interface FormControls {
  /** Adds a control and writes the kept value into it, if there is one. Controls that share a name are radios. */
  attach(name: string, control: Control): void
  detach(name: string, control: Control): void
  get(name: string): FieldValue
  set(name: string, value: FieldValue): void
  values(): Record<string, FieldValue>
  /** Whether the form has shown a field of this name. */
  has(name: string): boolean
  /** Resets all fields to their initial values. */
  reset(): void
  focus(name: string): void
}

export function createFormControls(initial: Readonly<Record<string, FieldValue>> = {}): FormControls {
  const kept = new Map(Object.entries(initial))
  const attached = new Map<string, Set<Control>>()

  const get = (name: string): FieldValue => {
    const controls = attached.get(name)
    // The kept value may belong to a radio that is not rendered yet.
    return (controls && controls.size > 0 ? read([...controls]) : undefined) ?? kept.get(name)
  }
  const set = (name: string, value: FieldValue) => {
    kept.set(name, value)
    for (const control of attached.get(name) ?? []) write(control, value)
  }
  return {
    get,
    set,
    attach(name, control) {
      const controls = attached.get(name) ?? new Set()
      attached.set(name, controls.add(control))
      if (kept.has(name)) write(control, kept.get(name))
    },
    detach(name, control) {
      // Radios detach one by one: only the checked one has the value.
      if (control.type !== 'radio' || control.checked) kept.set(name, get(name))
      attached.get(name)?.delete(control)
    },
    values: () =>
      Object.fromEntries([...new Set([...kept.keys(), ...attached.keys()])].map((name) => [name, get(name)])),
    has: (name) => attached.has(name),
    reset() {
      for (const name of new Set([...kept.keys(), ...attached.keys()])) set(name, initial[name])
      kept.clear()
      for (const [name, value] of Object.entries(initial)) kept.set(name, value)
    },
    focus: (name) => [...(attached.get(name) ?? [])][0]?.focus(),
  }
}

function read(controls: readonly Control[]): FieldValue {
  const [first] = controls
  if (first?.type === 'radio') return controls.find(({ checked }) => checked)?.value
  return first?.type === 'checkbox' ? first.checked : first?.value
}

function write(control: Control, value: FieldValue): void {
  if (control.type === 'radio') control.checked = control.value === value
  else if (control.type === 'checkbox') control.checked = value === true
  // A select without a value shows its first option.
  else if (control.type === 'select-one' && value === undefined) control.selectedIndex = 0
  else if (control.value !== value) control.value = String(value ?? '')
}
