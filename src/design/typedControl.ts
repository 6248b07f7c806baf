import {
  type ChangeEventHandler,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'

/** What a form sees of a field: its value is what was understood, not what was typed. */
export interface TypedControl {
  readonly type: string
  value: string
  focus(): void
}

interface TypedInput {
  /** For the `<input>`. */
  attributes: { ref: RefObject<HTMLInputElement | null>; onChange: ChangeEventHandler<HTMLInputElement> }
  /** The text in the field. */
  typed: string
}

/**
 * Gives a form the understood value of a text field: `read` of the typed text, which is a stable function and returns text it does not
 * understand unchanged.
 */
export function useTypedControl(
  ref: Ref<TypedControl> | undefined,
  read: (typed: string) => string,
  onChange?: ChangeEventHandler<HTMLInputElement>,
): TypedInput {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
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
  const noteChange: ChangeEventHandler<HTMLInputElement> = (event) => {
    setTyped(event.target.value)
    onChange?.(event)
  }
  return { attributes: { ref: input, onChange: noteChange }, typed }
}

/** Replaces the text of a field as if the person had typed it, so that React calls `onChange`. */
export function typeText(input: HTMLInputElement, text: string): void {
  // React ignores a change that was made by the element's own `value`.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
