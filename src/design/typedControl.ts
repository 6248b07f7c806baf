import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'

/** What a form sees of a field: its value is what was understood, not what was typed. */
export interface TypedControl {
  readonly type: string
  value: string
  focus(): void
}

interface TypedInput {
  /** For the `ref` of the `<input>`. */
  input: RefObject<HTMLInputElement | null>
  /** The text in the field. */
  typed: string
  /** Call it in `onChange`. */
  noteTyped: () => void
}

/**
 * Gives a form the understood value of a text field: `read` of the typed text, which is a stable function and returns text it does not
 * understand unchanged.
 */
export function useTypedControl(
  ref: Ref<TypedControl> | undefined,
  read: (typed: string) => string,
): TypedInput {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const noteTyped = () => setTyped(input.current?.value ?? '')
  useImperativeHandle(ref, () => {
    const field = input.current
    return {
      type: 'text',
      get value() {
        return read(field?.value ?? '')
      },
      set value(value) {
        if (field) field.value = value
        setTyped(value)
      },
      focus: () => field?.focus(),
    }
  }, [read])
  // Text from before the script loaded.
  useEffect(() => setTyped(input.current?.value ?? ''), [])
  return { input, typed, noteTyped }
}

/** Replaces the text of a field as if the person had typed it, so that React calls `onChange`. */
export function typeText(input: HTMLInputElement, text: string): void {
  // React ignores a change that was made by the element's own `value`.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
