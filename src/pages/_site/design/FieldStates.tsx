import { useState } from 'react'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import { CodeField } from '../../../design/CodeField.tsx'
import { FileInput, type FileState } from '../../../design/FileInput.tsx'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Switch } from '../../../design/Switch.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'

const rules = {
  accept: ['image/png', 'image/jpeg'],
  described: 'PNG or JPEG, up to 8 MB',
  several: 'Please attach one picture only',
  problem: (file: File) => (file.type.startsWith('image/') ? null : 'Please choose a PNG or a JPEG'),
}

const coins = [
  { value: 'bitcoin', label: 'Bitcoin', hint: 'btc' },
  { value: 'ethereum', label: 'Ethereum', hint: 'eth' },
  { value: 'usdt', label: 'USDT', hint: 'TRC-20, BSC or ERC-20' },
]

export function FieldStates() {
  return (
    <>
      <Panel title="Fields">
        <Form
          onSubmit={(event) => event.preventDefault()}
          pending={false}
          formError={null}
          submitLabel="Send"
        >
          <div className="pair">
            <TextField label="Full name" autoComplete="name" hint="As in your passport" />
            <TextField label="Phone" optional autoComplete="tel" type="tel" placeholder="+1 555 0100" />
          </div>
          <PasswordField label="Password" autoComplete="current-password" defaultValue="sample" />
          <SelectField
            label="Country"
            placeholder="Choose a country"
            options={[
              { value: 'de', label: 'Germany (Deutschland)' },
              { value: 'jp', label: 'Japan (日本)' },
            ]}
            group={{
              label: 'By the name at home',
              options: [
                { value: 'de', label: 'Deutschland (Germany)' },
                { value: 'jp', label: '日本 (Japan)' },
              ],
            }}
          />
          <MoneyField label="Amount" defaultValue="1500.50" />
          <RadioGroup label="Coin" name="coin" options={coins} />
          <CodeField label="Code" hint="Six digits from your authenticator app" />
          <TextArea label="Message" />
          <CheckboxField label="I am 18 or older and accept the terms" />
          <FileField initial={{ state: 'empty' }} />
        </Form>
      </Panel>
      <Panel title="Switches">
        <SwitchStates />
      </Panel>
      <Panel title="Fields in error">
        <Form
          onSubmit={(event) => event.preventDefault()}
          pending
          formError="Nothing was sent: the server could not be reached. Try again."
          submitLabel="Send Withdrawal Request"
        >
          <TextField label="Email" error="Provide a valid email" defaultValue="ada@" />
          <PasswordField label="New password" autoComplete="new-password" error="Password is required" />
          <SelectField
            label="Network"
            options={[]}
            placeholder="Choose a network"
            error="Network is required"
          />
          <MoneyField
            label="Withdrawal amount"
            unit="BTC"
            sign={null}
            error="Please input withdrawal amount in USD"
          />
          <RadioGroup label="Method" name="method" options={coins} error="Please choose a method" />
          <CheckboxField label="I accept the terms" error="Please accept the terms" />
          <TextField label="Disabled" disabled defaultValue="Not yours to change" />
          <FileField initial={{ state: 'chosen', file: sample }} />
          <FileField initial={{ state: 'sending', file: sample, progress: 0.62 }} />
          <FileField initial={{ state: 'refused', reason: 'Please attach one picture only' }} />
        </Form>
      </Panel>
    </>
  )
}

function SwitchStates() {
  const [isOn, setOn] = useState(true)
  return (
    <>
      <Switch
        label="Keep an activity log"
        hint="Sign-ins and changes, with the time and the address."
        checked={isOn}
        onChange={() => setOn(!isOn)}
      />
      <Switch label="News and offers" checked={false} />
      <Switch label="Being saved" checked busy />
      <Switch label="Not yours to change" checked disabled />
      <Switch
        label="Tips"
        hint="Now and then."
        error="This could not be saved. It is off, as before."
        checked={false}
      />
    </>
  )
}

const sample = new File(['sample'], 'receipt-of-a-very-long-transfer-2026-01-31.png', { type: 'image/png' })

function FileField({ initial }: { initial: FileState }) {
  const [value, setValue] = useState(initial)
  return (
    <FileInput
      label="Receipt image"
      name={`receipt-${initial.state}`}
      value={value}
      onChange={setValue}
      rules={rules}
    />
  )
}
