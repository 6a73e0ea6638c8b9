export default () => 'custom_http'
