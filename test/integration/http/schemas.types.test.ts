import type { FromSchema } from 'json-schema-to-ts';
import type * as client from '../../../adapters/client/index.js';
import type { ProblemField } from '../../../adapters/edge/problems/problem.js';
import type {
  AutomationJson,
  AutomationListJson,
  CategoryListJson,
  CreateAutomationJson,
} from '../../../adapters/api/representations.js';
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
type Same<One, Other> = [Required<One>, keyof One] extends [Required<Other>, keyof Other]
  ? [Required<Other>, keyof Other] extends [Required<One>, keyof One]
    ? true
    : false
  : false;

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

describe('The JSON of the schemas and the interfaces that are written out', () => {
  it('are the same types, or this file would not compile', () => {
    hold<Same<Named<FromSchema<Automation>>, AutomationJson>>(true);
    hold<Same<Named<FromSchema<List>>, AutomationListJson>>(true);
    hold<Same<Named<FromSchema<Categories>>, CategoryListJson>>(true);
    hold<Same<FromSchema<ReturnType<typeof createAutomationSchema>>, CreateAutomationJson>>(true);
    hold<Same<client.Automation, AutomationJson>>(true);
    hold<Same<client.AutomationList, AutomationListJson>>(true);
    hold<Same<client.CategoryList, CategoryListJson>>(true);
    hold<Same<client.CreateAutomation, CreateAutomationJson>>(true);
    hold<Same<client.FieldError, Named<FromSchema<typeof fieldErrorSchema>>>>(true);
    hold<Same<client.Problem, Named<FromSchema<ReturnType<typeof problemSchema<typeof fieldErrorSchema>>>>>>(true);
    hold<Same<Named<FromSchema<typeof fieldErrorSchema>>, ProblemField>>(true);
  });

  it('would be told apart if one had a member more, less or of another type', () => {
    // @ts-expect-error a member more
    hold<Same<AutomationJson & { more: string }, AutomationJson>>(true);
    // @ts-expect-error a member less
    hold<Same<Omit<AutomationJson, 'id'>, AutomationJson>>(true);
    // @ts-expect-error a member of another type
    hold<Same<Omit<AutomationJson, 'price'> & { price: string }, AutomationJson>>(true);
  });
});
