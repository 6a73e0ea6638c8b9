// The short way, new Function(expr), is closed in the sandbox, and rightly so.
// expression = term (+|- term)*, term = factor (*|/ factor)*, factor = number | (expression) | -factor
export default (ctx) => {
  const tokens = ctx.toolCall.params.expr.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const level = (operators, below) => () => {
    let value = below();
    while (operators[tokens[at]]) value = operators[tokens[at++]](value, below());
    return value;
  };
  const factor = () => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "(") {
      const value = expression();
      if (tokens[at++] !== ")") throw new Error("a closing parenthesis is missing");
      return value;
    }
    if (!/^\d/.test(token ?? "")) throw new Error(`unexpected ${token ?? "end"}`);
    return Number(token);
  };
  const term = level({ "*": (a, b) => a * b, "/": (a, b) => a / b }, factor);
  const expression = level({ "+": (a, b) => a + b, "-": (a, b) => a - b }, term);
  const value = expression();
  if (at < tokens.length) throw new Error(`unexpected ${tokens[at]}`);
  return { value };
};
