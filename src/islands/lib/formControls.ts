/** What a field holds: text as typed, or whether a box is ticked. */
export type FieldValue = string | boolean | undefined

/** As much of an input, select or textarea as is used here. */
export interface Control {
  readonly type: string
  value: string
  checked?: boolean
  selectedIndex?: number
  focus(): void
}

/**
 * The fields of one form by name. What stands on the page is the truth, so that what was typed or filled in before the
 * script had loaded counts; what a field held that is no longer shown is kept.
 */
export interface FormControls {
  /** Takes a control in: it gets what is known of its field, or tells what it holds. Several of one name are radios. */
  attach(name: string, control: Control): void
  detach(name: string, control: Control): void
  get(name: string): FieldValue
  set(name: string, value: FieldValue): void
  values(): Record<string, FieldValue>
  /** Whether the form has shown such a field. */
  knows(name: string): boolean
  /** Back to what was there at first. */
  reset(): void
  focus(name: string): void
}

export function formControls(initial: Readonly<Record<string, FieldValue>> = {}): FormControls {
  const kept = new Map(Object.entries(initial))
  const attached = new Map<string, Set<Control>>()

  const get = (name: string): FieldValue => {
    const controls = attached.get(name)
    // What was set may be none of the radios that stand there now, because others are about to.
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
      // Radios leave one by one: only the chosen one among them knows what the field holds.
      if (control.type !== 'radio' || control.checked) kept.set(name, get(name))
      attached.get(name)?.delete(control)
    },
    values: () =>
      Object.fromEntries([...new Set([...kept.keys(), ...attached.keys()])].map((name) => [name, get(name)])),
    knows: (name) => attached.has(name),
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
  // A select has a first choice rather than a blank.
  else if (control.type === 'select-one' && value === undefined) control.selectedIndex = 0
  else if (control.value !== value) control.value = String(value ?? '')
}
