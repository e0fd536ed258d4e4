import { locationError } from '../errors/mongo-error.ts';
import { isDocument, isTruthy, type BsonValue } from '../values/value.ts';
import { isNullish, namedArguments, onArguments, type Compile, type OperatorTable } from './operator.ts';
import { withVariables, type Evaluate } from './scope.ts';

function condition(argument: BsonValue, compile: Compile, name: string): Evaluate {
  let parts: BsonValue[];
  if (Array.isArray(argument)) {
    if (argument.length !== 3) throw locationError(16020, 'Expression $cond takes exactly 3 arguments.');
    parts = argument;
  } else {
    const named = namedArguments(argument, name, ['if', 'then', 'else']);
    parts = [named.get('if')!, named.get('then')!, named.get('else')!];
  }
  const [test, yes, no] = parts.map((part) => compile(part));
  return (scope) => (isTruthy(test!(scope)) ? yes!(scope) : no!(scope));
}

function switchBranches(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const named = namedArguments(argument, name, ['branches'], ['default']);
  const branches = named.get('branches');
  if (!Array.isArray(branches)) throw locationError(40061, `$switch expected an array for 'branches'`);
  const compiled = branches.map((branch) => {
    const parts = namedArguments(branch, '$switch branch', ['case', 'then']);
    return { test: compile(parts.get('case')!), value: compile(parts.get('then')!) };
  });
  const otherwise = named.has('default') ? compile(named.get('default')!) : undefined;
  return (scope) => {
    const taken = compiled.find((branch) => isTruthy(branch.test(scope)))?.value ?? otherwise;
    if (!taken) {
      throw locationError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    }
    return taken(scope);
  };
}

function letIn(argument: BsonValue, compile: Compile, name: string): Evaluate {
  const named = namedArguments(argument, name, ['vars', 'in']);
  const vars = named.get('vars');
  if (!isDocument(vars)) throw locationError(16874, 'invalid parameter: expected an object (vars)');
  const compiled = [...vars].map(([variable, value]): [string, Evaluate] => [variable, compile(value)]);
  const body = compile(named.get('in')!, [...vars.keys()]);
  return (scope) =>
    body(
      withVariables(
        scope,
        compiled.map(([variable, evaluate]) => [variable, evaluate(scope)]),
      ),
    );
}

export const conditionalOperators: OperatorTable = [
  ['$cond', condition],
  ['$switch', switchBranches],
  ['$let', letIn],
  ['$ifNull', onArguments(2, Infinity, (values) => values.find((value) => !isNullish(value)) ?? values.at(-1))],
];
