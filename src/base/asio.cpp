// The compiled part of Boost.Asio: see BOOST_ASIO_SEPARATE_COMPILATION in cmake/.
#include <boost/asio/impl/src.hpp>
