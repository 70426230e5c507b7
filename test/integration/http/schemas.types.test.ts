import type { FromSchema } from 'json-schema-to-ts';
import type * as client from '../../../adapters/client/index.js';
import type { ProblemField } from '../../../adapters/edge/problems/problem.js';
import type {
  automationListSchema,
  automationSchema,
  automationSummarySchema,
  categoryListSchema,
  categorySchema,
  createAutomationSchema,
  fieldErrorSchema,
  problemSchema,
} from '../../../adapters/api/schemas.js';

/** Fails to compile unless each type can stand for the other, member by member. */
type Same<One, Other> = [Parts<One>] extends [Parts<Other>]
  ? [Parts<Other>] extends [Parts<One>]
    ? true
    : false
  : false;
type Parts<Value> = readonly [Required<Value>, keyof Value, OptionalIn<Value>];
type OptionalIn<Value> = { [Name in keyof Value]-?: object extends Pick<Value, Name> ? Name : never }[keyof Value];

function hold<Claim extends true>(claim: Claim): Claim {
  return claim;
}

/** The members that a schema names, of an object that may have more. */
type Named<Value> = Value extends readonly (infer Item)[]
  ? Named<Item>[]
  : Value extends object
    ? { [Name in keyof Value as string extends Name ? never : Name]: Named<Value[Name]> }
    : Value;

type Automation = ReturnType<typeof automationSchema>;
type List = ReturnType<typeof automationListSchema<ReturnType<typeof automationSummarySchema>>>;
type Categories = ReturnType<typeof categoryListSchema<typeof categorySchema>>;

describe('The JSON of the schemas and the types of the client', () => {
  it('are the same types, or this file would not compile', () => {
    hold<Same<client.Automation, Named<FromSchema<Automation>>>>(true);
    hold<Same<client.AutomationList, Named<FromSchema<List>>>>(true);
    hold<Same<client.CategoryList, Named<FromSchema<Categories>>>>(true);
    hold<Same<client.CreateAutomation, FromSchema<ReturnType<typeof createAutomationSchema>>>>(true);
    hold<Same<client.FieldError, Named<FromSchema<typeof fieldErrorSchema>>>>(true);
    hold<Same<client.Problem, Named<FromSchema<ReturnType<typeof problemSchema<typeof fieldErrorSchema>>>>>>(true);
    hold<Same<ProblemField, client.FieldError>>(true);
  });

  it('would be told apart if one had a member more, less, optional or of another type', () => {
    // @ts-expect-error a member more
    hold<Same<client.Automation & { more: string }, client.Automation>>(true);
    // @ts-expect-error a member less
    hold<Same<Omit<client.Automation, 'id'>, client.Automation>>(true);
    // @ts-expect-error a member that may be missing
    hold<Same<Omit<client.Automation, 'id'> & { id?: string }, client.Automation>>(true);
    // @ts-expect-error a member of another type
    hold<Same<Omit<client.Automation, 'price'> & { price: string }, client.Automation>>(true);
  });
});
