export default (ctx, { folder, name }) => [folder, name]
export const echo = ({ request, args }) => ({ body: request.body, args, type: request.headers['content-type'] })
